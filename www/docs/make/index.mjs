// Makes the documents.
export { REPOSITORY } from "./links.mjs";
export { DOCUMENTS, ROOT } from "./pages.mjs";
