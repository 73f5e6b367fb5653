import { index, route } from "@react-router/dev/routes";

export default [index("routes/home.jsx"), route("url", "routes/url.jsx"), route("price", "routes/price.js")];
