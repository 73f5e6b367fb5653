// What TypeScript does not find beside the sources.

// Made by the build.
declare module "*/wasm/order_cost.js";
declare module "*/command.js";
declare module "*/demo/index.js" {
  export const createSeedHost: (seed: object) => Required<import("order-cost").Host>;
}
declare module "facts";
declare module "virtual:order-schemas";
declare module "*/wasm/row-objects.js";
declare module "*/order-fields.js" {
  /** Only a word and a nested field have an `of`. */
  type Field = { kind: string; class: string; required?: true; of: string };
  export const FIELDS: Record<string, { read: Record<string, Field>; response: Record<string, Field> }>;
  export const DEFAULTS: Record<string, Record<string, ReturnType<JSON["parse"]>>>;
  export const LOOK_UPS: Record<string, { part: string; id: string; isList: boolean; failed: string; notFound: string }>;
  export const POLICIES: Record<string, { decision: string; values: string[]; what: string }>;
  export const WORDS: Record<string, string[]>;
  type Mode = { source: string; decision: string; surcharge: boolean };
  export const MODES: Record<string, Mode>;
  export const LIMITS: Record<string, number>;
}
declare module "*/order-schemas.json";
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
declare module "*.wasm?url" {
  const url: string;
  export default url;
}
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

// A service worker's, whose library would replace the globals of pages.
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface ExtendableMessageEvent extends ExtendableEvent {
  readonly data: unknown;
  readonly source: { postMessage(message: unknown): void } | null;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface ServiceWorkerGlobalScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void> };
  readonly location: { readonly href: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "message", listener: (event: ExtendableMessageEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
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
interface Scheduler {
  wait(ms: number): Promise<void>;
}
interface CacheStorage {
  readonly default: Cache;
}
interface SubtleCrypto {
  timingSafeEqual(left: ArrayBufferView, right: ArrayBufferView): boolean;
}

/** Vite's. */
interface ImportMeta {
  readonly env: { readonly BASE_URL: string };
}

/** Angular's. */
declare const ngDevMode: unknown;

// What the benchmarks compare with, which is installed with them only.
declare module "@automerge/automerge";
declare module "@automerge/automerge/slim";
declare module "@cedar-policy/cedar-wasm/nodejs";
declare module "@cedar-policy/cedar-wasm/web";
declare module "@dimforge/rapier2d-compat";
declare module "@sqlite.org/sqlite-wasm";
declare module "autocannon";
declare module "decimal.js";
declare module "dinero.js";
declare module "dinero.js/currencies";
declare module "./price.js?*";
