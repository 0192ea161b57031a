/** Limits to the size of a view, and to what it does to the page that shows it. */
export interface AppLimits {
  /** Bytes of the page of a view. @default 8_388_608 (8 MiB) */
  readonly maxViewBytes?: number
  /** Origins that a view may name. @default 100 */
  readonly maxDomainsPerView?: number
  /** Letters and values in one message of a view. @default 1_048_576 */
  readonly maxMessageChars?: number
  /** Requests of a view that are worked on at the same time; as many more wait. @default 16 */
  readonly maxRequestsInFlight?: number
  /** Pixels that a view may want to be wide or high. @default 10_000 */
  readonly maxSizePixels?: number
}

/** The default limits. */
export const appLimits = {
  maxViewBytes: 8_388_608,
  maxDomainsPerView: 100,
  maxMessageChars: 1_048_576,
  maxRequestsInFlight: 16,
  maxSizePixels: 10_000,
} as const satisfies AppLimits
