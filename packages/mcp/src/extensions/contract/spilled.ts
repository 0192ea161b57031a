/** The template of results that were too large to answer with; ranges are inclusive, and lines count from one. */
export const spilledTemplate = 'contract:///results/{id}{?bytes,lines,search,after}'

/** A result that was too large to answer with, and is kept for its caller. */
export interface Spilled {
  /** The resource to read it from. */
  readonly uri: string
  /** Number of bytes. */
  readonly bytes: number
  readonly mimeType: string
  /** End of the time it is kept, as an ISO date. */
  readonly expiresAt: string
}

/** A place where a text was found. */
export interface SpilledMatch {
  /** Counted from one. */
  readonly line: number
  /** Start of the match. */
  readonly byte: number
  /** Text around it. */
  readonly text: string
}

/** Matches of a search. */
export interface SpilledMatches {
  readonly matches: readonly SpilledMatch[]
  /** Byte to go on from; undefined where there is no more. */
  readonly next?: number
}
