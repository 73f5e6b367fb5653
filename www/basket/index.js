// Views of the basket and of the products.
export { createBasketView } from "./basket.js";
export { createCatalogueView } from "./catalogue-view.js";
export { createProblemsView } from "./problems.js";
export { lineName } from "./product.js";
export { createUndo } from "./undo.js";
