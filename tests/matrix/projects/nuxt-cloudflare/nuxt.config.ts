export default defineNuxtConfig({
  compatibilityDate: "2025-07-15",
  devtools: { enabled: true },
  nitro: {
    preset: "cloudflare_module",
    experimental: { wasm: true },
    cloudflare: { deployConfig: true, nodeCompat: true },
  },
});
