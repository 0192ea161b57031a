/** Cause of a program's end, read from its last output. */
export interface LastWords {
  readonly cause: 'memory' | 'port' | 'wrong Node' | 'variable' | 'no binary'
  /** The part that says it: a port, a variable, a file. */
  readonly what: string
  readonly said: string
}

type Reader = readonly [cause: LastWords['cause'], pattern: RegExp]

const readers: readonly Reader[] = [
  [
    'memory',
    /(heap out of memory|Allocation failed|MemoryError|std::bad_alloc|Cannot allocate memory|OutOfMemoryError)/,
  ],
  ['port', /EADDRINUSE[^\n]*?:(\d+)\b/],
  ['port', /address already in use[^\n]*?:(\d+)\b/i],
  ['port', /\bport (\d+)\b[^\n]*\b(?:in use|taken|occupied)/i],
  ['wrong Node', /(compiled against a different Node\.js version)/],
  ['wrong Node', /(?:requires?|needs?) Node(?:\.js)?\s+(?:version\s+)?([^\n,;]*\d[^\n,;]*)/i],
  ['wrong Node', /bad option: (--[\w-]+)/],
  ['wrong Node', /(ERR_UNKNOWN_FILE_EXTENSION|ERR_REQUIRE_ESM)/],
  [
    'variable',
    /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b[^\n]{0,60}?\b(?:not set|unset|required|missing|undefined|empty|must be set)/,
  ],
  [
    'variable',
    /\b(?:set|missing|provide|requires?|export|define|KeyError:)\b[^\n]{0,60}?\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/,
  ],
  ['no binary', /: there is no file "([^"]+)"/],
  ['no binary', /(?:sh|bash|npx)(?:: line \d+|: \d+)?: ([^\s:]+): (?:command )?not found/],
]

/** Finds why a program ended in what it wrote, or in how the library said that it ended; undefined for other words. */
export function readLastWords(stderr: string): LastWords | undefined {
  for (const [cause, pattern] of readers) {
    const found = pattern.exec(stderr)
    if (found) return { cause, what: (found[1] ?? '').trim(), said: lineAround(stderr, found.index) }
  }
  return undefined
}

/** The last line that is meant for a reader: no stack, no version of Node. */
export function lastLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:at |Node\.js v\d|\^+$|[{}[\]],?$|node:internal)/.test(line))
  return lines.findLast((line) => /error|cannot|fail|missing|invalid|denied/i.test(line)) ?? lines.at(-1) ?? ''
}

function lineAround(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index) + 1
  const end = text.indexOf('\n', index)
  return text.slice(start, end < 0 ? undefined : end).trim()
}
