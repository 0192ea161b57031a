import type { PromisedLimit } from './checker.ts'

/** Limit of the tool "pay" in all processes together; as many calls more may be recorded late as there are clients and burst. */
export const payLimit = { perMinute: 300, burst: 5, slack: 10 } as const satisfies PromisedLimit
