/** One challenge of a `WWW-Authenticate` header. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

const longest = 16_384

/** Parses a `WWW-Authenticate` header with any number of challenges; skips what is malformed. */
export function parseChallenges(header: string): Challenge[] {
  const text = new Cursor(header.slice(0, longest))
  const challenges: { scheme: string; parameters: Map<string, string> }[] = []
  while (!text.isAtEnd) {
    text.skip(separators)
    const word = text.token().toLowerCase()
    text.skip(blanks)
    const current = challenges.at(-1)
    if (word === '') text.next()
    else if (!text.eat('=')) challenges.push({ scheme: word, parameters: new Map() })
    else if (current && !current.parameters.has(word)) current.parameters.set(word, text.value())
    else text.value()
  }
  return challenges
}

/** The demands in the challenges of a response. */
export interface Demand {
  /** The accepted schemes, in lower case. */
  readonly schemes: ReadonlySet<string>
  readonly error: string | undefined
  /** The `error_description`. */
  readonly description: string | undefined
  readonly scope: string | undefined
  /** The URL of the protected resource metadata. */
  readonly resourceMetadata: string | undefined
}

/** Combines all challenges of a header, because servers differ in where they put the parameters. */
export function demandOf(header: string | null): Demand {
  const challenges = parseChallenges(header ?? '')
  const first = (name: string): string | undefined =>
    challenges.map(({ parameters }) => parameters.get(name)).find((value) => value !== undefined)
  return {
    schemes: new Set(challenges.map(({ scheme }) => scheme)),
    error: first('error'),
    description: first('error_description'),
    scope: first('scope'),
    resourceMetadata: first('resource_metadata'),
  }
}

const blanks = ' \t'
const separators = `${blanks},`
const tokenCharacter = /^[\w!#$%&'*+.^`|~-]$/

/** A position in a text that only moves forward, so that parsing is linear. */
class Cursor {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  next(): string {
    return this.#text[this.#at++] ?? ''
  }

  eat(character: string): boolean {
    const found = this.#text[this.#at] === character
    if (found) this.#at++
    return found
  }

  skip(characters: string): void {
    while (!this.isAtEnd && characters.includes(this.#text[this.#at] ?? '')) this.#at++
  }

  token(): string {
    const start = this.#at
    while (tokenCharacter.test(this.#text[this.#at] ?? '')) this.#at++
    return this.#text.slice(start, this.#at)
  }

  value(): string {
    this.skip(blanks)
    return this.eat('"') ? this.#quoted() : this.#bare()
  }

  // more than the grammar allows, as some servers forget to quote URLs
  #bare(): string {
    const start = this.#at
    while (!this.isAtEnd && !separators.includes(this.#text[this.#at] ?? '')) this.#at++
    return this.#text.slice(start, this.#at)
  }

  #quoted(): string {
    let value = ''
    while (!this.isAtEnd) {
      const character = this.next()
      if (character === '"') break
      value += character === '\\' ? this.next() : character
    }
    return value
  }
}
