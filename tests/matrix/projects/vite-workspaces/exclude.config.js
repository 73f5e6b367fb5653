import { defineConfig } from "vite";

export default defineConfig({ optimizeDeps: { exclude: ["order-cost"] } });
