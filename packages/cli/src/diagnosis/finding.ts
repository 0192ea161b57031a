/** Why a server does not work. */
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

/** What is wrong with a server: one line, and one command to paste. */
export interface Finding {
  readonly cause: Cause
  readonly line: string
  readonly command: string
}

/** A server to look at. */
export interface Patient {
  readonly name: string
  /** How other commands name it: `github`, a URL, or `-- node server.js`. */
  readonly words: string
  /** Where it is configured, as file and line. */
  readonly source?: string | undefined
}

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
