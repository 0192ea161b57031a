/** The name of an argument of a tool, from a flag or a word of a usage line: `--max-count` is `max_count`. */
export function inputName(written: string): string {
  const name = written
    .replace(/^-+/, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const word = /^[A-Z0-9_]{2,}$/.test(name) ? name.toLowerCase() : name
  const safe = /^[A-Za-z]/.test(word) ? word : `option_${word}`
  return reserved.has(safe) ? `${safe}_` : safe
}

/** Arguments that every tool has. */
const reserved = new Set(['cwd', 'stdin'])
