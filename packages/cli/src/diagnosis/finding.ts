/** Cause of a server's failure. */
export type Cause =
  | 'no binary'
  | 'no package'
  | 'wrong Node'
  | 'variable'
  | 'configuration'
  | 'version'
  | 'file'
  | 'port'
  | 'noise on stdout'
  | '401'
  | 'web page'
  | 'DNS'
  | 'TLS'
  | 'proxy'
  | 'hang'
  | 'crash loop'
  | 'memory'
  | 'bad schema'
  | 'not accepted'
  | 'other'

/** Diagnosis of a server that does not work: one line, and one command to paste. */
export interface Finding {
  readonly cause: Cause
  readonly line: string
  readonly command: string
}

/** A server to look at. */
export interface Patient {
  readonly name: string
  /** Its name in other commands: `github`, a URL, or `-- node server.js`. */
  readonly words: string
  /** File and line of its configuration. */
  readonly source?: string | undefined
}

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
