import { hiddenCharacters } from '@trunkline/base/visible'
import type { Fields } from '@trunkline/mcp'
import { suspiciousPhrases } from './suspicious-phrases.ts'

/** Something in a definition or a result that a person should see before a model does. */
export interface Finding {
  /** `stops`: kept from being accepted with the rest; `notes`: shown beside it. */
  readonly weight: 'stops' | 'notes'
  readonly what: 'hidden text' | 'escape' | 'instructions' | 'shadowing' | 'encoded' | 'comment' | 'length'
  /** Place in the definition, as a JSON Pointer. */
  readonly at: string
  /** A sentence for a person. */
  readonly why: string
}

export interface ScanOptions {
  /** Names of tools of other servers, which this one has no reason to speak of. */
  readonly foreignNames?: ReadonlySet<string>
  /** A definition that a person looked at already: equal text in the same place is skipped. @default none */
  readonly seen?: Fields
}

/** Longest text that a person can be expected to read before accepting it. */
const maxTextLength = 16_384
const maxDepth = 64
/** A hostile definition may hold any number of faults; a person needs a few. */
const maxFindings = 100

/** Everything suspicious in a definition or result. Reads nothing else and changes nothing. */
export function scan(value: Fields, { foreignNames = new Set(), seen }: ScanOptions = {}): readonly Finding[] {
  const findings: Finding[] = []
  const known = seen && new Map(textsOf(seen, '', maxDepth))
  for (const [at, text] of textsOf(value, '', maxDepth)) {
    if (known?.get(at) === text) continue
    for (const finding of scanText(text, at, foreignNames)) {
      findings.push(finding)
      if (findings.length >= maxFindings) return findings
    }
  }
  return findings
}

/** Every text in a value, keys included, with its place. */
function* textsOf(value: unknown, at: string, depthLeft: number): Generator<readonly [at: string, text: string]> {
  if (typeof value === 'string') yield [at, value]
  if (typeof value !== 'object' || value === null || depthLeft === 0) return
  for (const [key, member] of Object.entries(value)) {
    const place = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!Array.isArray(value)) yield [`${place} (name)`, key]
    yield* textsOf(member, place, depthLeft - 1)
  }
}

function* scanText(text: string, at: string, foreignNames: ReadonlySet<string>): Generator<Finding> {
  if (text.length > maxTextLength) {
    yield { weight: 'notes', what: 'length', at, why: `has ${text.length} characters, more than anybody reads` }
  }
  yield* scanCharacters(text, at)
  for (const { pattern, why, weight } of suspiciousPhrases) {
    if (pattern.test(text)) yield { weight, what: 'instructions', at, why }
  }
  if (/<!--/.test(text))
    yield { weight: 'notes', what: 'comment', at, why: 'holds an HTML comment, which pages do not show' }
  if (/[A-Za-z0-9+/]{200,}={0,2}/.test(text))
    yield { weight: 'notes', what: 'encoded', at, why: 'holds a long encoded text' }
  const foreign = [...wordsOf(text)].find((word) => foreignNames.has(word))
  if (foreign !== undefined) {
    yield { weight: 'notes', what: 'shadowing', at, why: `speaks of "${foreign}", a tool of another server` }
  }
}

function* scanCharacters(text: string, at: string): Generator<Finding> {
  const kinds = new Set<string>()
  for (const { code, kind } of hiddenCharacters(text)) {
    if (kinds.has(kind)) continue
    kinds.add(kind)
    const isEscape = kind === 'control'
    const why = `holds a character that is not shown: U+${code.toString(16).toUpperCase().padStart(4, '0')} (${kind})`
    yield { weight: kind === 'variation' ? 'notes' : 'stops', what: isEscape ? 'escape' : 'hidden text', at, why }
  }
}

/** Words that could be names of tools: ordinary words are no names. */
function* wordsOf(text: string): Generator<string> {
  // each pattern goes over a text once: one that tries every start again takes minutes for a long word
  for (const [word] of text.matchAll(/[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*/g)) {
    if (/[_.-]/.test(word)) yield word
    else for (const [name] of word.matchAll(/(?<![a-z])[a-z]+(?:[A-Z][a-z0-9]+)+/g)) yield name
  }
}
