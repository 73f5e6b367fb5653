// What TypeScript does not find beside the sources.

// Made by the build.
declare module "*/wasm/order_cost.js";
declare module "*/command.js";
declare module "*/error-codes.js";
declare module "*/wasm/version.js";
declare module "*/wasm/text.js" {
  export const text: { size: number; alphabet: string; text: string };
}
declare module "*/wasm/calculate-text.js" {
  export const text: { size: number; alphabet: string; text: string };
}
declare module "*/wasm/base64.js" {
  export const base64: string;
}
declare module "*/wasm/calculate-base64.js" {
  export const base64: string;
}
declare module "*/wasm/sha256.js" {
  const hash: string;
  export default hash;
}
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

// The runtime of Cloudflare, whose own globals would replace those of browsers and Node.
type ExecutionContext = import("@cloudflare/workers-types").ExecutionContext;
type Fetcher = import("@cloudflare/workers-types").Fetcher;
type KVNamespace = import("@cloudflare/workers-types").KVNamespace;
type R2Bucket = import("@cloudflare/workers-types").R2Bucket;
declare const IdentityTransformStream: new () => TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>;
declare const FixedLengthStream: new (length: number) => TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>;
interface RequestInit {
  encodeResponseBody?: "automatic" | "manual";
  duplex?: "half";
}
interface ResponseInit {
  encodeBody?: "automatic" | "manual";
}
declare module "cloudflare:workers";
interface CacheStorage {
  readonly default: Cache;
}
interface SubtleCrypto {
  timingSafeEqual(left: ArrayBufferView, right: ArrayBufferView): boolean;
}

/** Angular's. */
declare const ngDevMode: unknown;
