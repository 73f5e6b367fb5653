import type { Awaitable, Host } from "order-cost";

/** Reads texts of a catalogue by their names: from KV, a folder, HTTP. */
export type ReadTexts = (
  /** At most 100, such as `current` and `shard:0123456789abcdef0123456789abcdef`. In URLs and folders `:` is `/`. */
  names: readonly string[],
  call: {
    /** Aborts after `timeoutMs`. */
    signal: AbortSignal;
    /** A text was missing, or its hash was wrong: read past what is kept near here. Default: false. */
    again?: boolean;
    /** The `context` of the order that began the read. Other orders may share it. Default: absent. */
    context?: unknown;
  },
) => Awaitable<ReadonlyMap<string, string | null>>;

/** Options of {@link createCatalogue}, which refuses any other with a `TypeError`. Each number is 0 or more. */
export interface CatalogueOptions {
  /** Reads texts by name. `null`, or no entry: the text is not there. */
  read: ReadTexts;
  /** How often the version in use is looked at, behind the orders. Milliseconds. Default: 30,000. */
  refreshMs?: number;
  /** A look that is older is renewed before the next order. Milliseconds. Default: 300,000. */
  maxAgeMs?: number;
  /** How many bytes of prices and texts are kept, least recently used out first. Default: 33,554,432. */
  cacheBytes?: number;
  /** The limit of a read. Milliseconds; 0: none. Default: 5,000. */
  timeoutMs?: number;
  /**
   * Keeps work alive when the order that began it has ended: in a Worker `waitUntil` of `cloudflare:workers`. Default:
   * nothing, as elsewhere such work runs on.
   */
  hold?(work: Promise<unknown>): void;
  /** Told when a version is taken up or refused, and when the store fails. Default: nobody. */
  onEvent?(event: {
    /** `error`: somebody has to act; `warn`: the store fails for now. */
    level: "info" | "warn" | "error";
    /** The id of the version in use. Default: absent, as there is none. */
    version?: string;
    /** What has happened, as a sentence. */
    message: string;
    /** What the store said, or what is wrong with `current`, for operators. Default: absent. */
    cause?: string;
  }): void;
}

/** Prices and delivery zones as versions, read from wherever their files lie. */
export interface Catalogue {
  /**
   * The version in use. An order keeps the one that it began with. Rejects with a {@link CatalogueError} if none can be
   * had. After a failure the version that was in use stays.
   */
  version(): Promise<CatalogueVersion>;
  /** What is known without a read: the version in use, and what is wrong. */
  state(): {
    /** The version in use. Default: absent, as there is none. */
    version?: CatalogueVersion;
    /** Why the version in use is not known to be the newest, or why there is none. Default: absent. */
    fault?: string;
    /** When the last look at `current` that was answered began, in milliseconds of Unix time. Default: absent. */
    lookedAt?: number;
    /** How many bytes of prices and texts are in memory: at most `cacheBytes`. */
    cachedBytes: number;
  };
}

/** A published version: it never changes. */
export interface CatalogueVersion {
  /** 16 hexadecimal digits. Versions of equal content have equal ids. */
  readonly id: string;
  /** Since when it is in use, such as `2026-12-01T00:00:00.000Z`. */
  readonly activatedAt: string;
  /** The hash of its delivery zones; `null`: it has none. */
  readonly zones: string | null;
  /**
   * {@link Host.lookupPrices}. Rejects with a {@link CatalogueError} if a text cannot be had. What it has looked up, also
   * before there is a pricer, is in memory for {@link Pricer.calculateNow}.
   */
  lookupPrices: NonNullable<Host["lookupPrices"]>;
  /** Its delivery zones, for {@link PricerOptions.deliveryZones}: GeoJSON. */
  deliveryZones(): Promise<string>;
}

/** Why a catalogue has no answer. Another try may succeed. */
export class CatalogueError extends Error {
  /** For operators: which text it was, or what the store said. Default: absent. */
  readonly detail?: string;
  /** Another try may succeed. The pricer takes it over into its own error. */
  readonly retryable: true;
}

/**
 * Makes a catalogue, for a Worker, Node or a page. What it reads is checked by its hash, shared by orders that want it at
 * the same time, and kept.
 *
 * ```js
 * const catalogue = createCatalogue({ read: fromUrl("https://shop.example/catalogue") });
 * const version = await catalogue.version();
 * const pricer = await createPricer(
 *   { lookupPrices: version.lookupPrices },
 *   { deliveryZones: () => version.deliveryZones() },
 * );
 * ```
 */
export function createCatalogue(options: CatalogueOptions): Catalogue;

/**
 * Reads a catalogue from files at a URL: `GET <base>/<name>`, with `/` for the `:` of a name. What is named by its
 * content never changes, and is taken from `cache` or from HTTP's own. `current` is asked for each time; without a
 * network it is what it was at the last visit. A redirect is no answer, nor is a text larger than a build writes.
 *
 * @param base where the files lie, such as `/catalogue`; what follows its `?` stays
 */
export function fromUrl(
  base: string | URL,
  options?: {
    /** Default: the platform's. */
    fetch?: typeof fetch;
    /**
     * Keeps texts for visits without a network: `await caches.open("catalogue")`. Default: HTTP's own cache alone. Nothing
     * is deleted from it: where prices change often, delete the whole of it now and then (`caches.delete`).
     */
    cache?: Cache;
  },
): ReadTexts;
