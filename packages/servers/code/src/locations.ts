import { type AllowedFolders, pathOfUri } from '@trunkline/server-kit/folders'
import type { Location, LocationLink, Range } from 'vscode-languageserver-types'
import { isVisibleTo } from './setup.ts'
import { readTextFile } from './text-files.ts'

/** A place that a language server names, in a file that the caller may see. */
export interface CodeLocation {
  readonly path: string
  /** The name there. */
  readonly range: Range
  /** All of what is declared there, where the server says so. */
  readonly whole?: Range
}

/** Places of an answer: those in files that the caller may see, in order, and the number of the others. */
export interface FoundPlaces {
  readonly inside: readonly CodeLocation[]
  readonly outside: number
}

type Answer = Location | readonly (Location | LocationLink)[] | null | undefined

/** Sorts the places of an answer of a language server. */
export function placesIn(answer: unknown, allowed: AllowedFolders): FoundPlaces {
  const given = answer as Answer
  const all = Array.isArray(given) ? given : given ? [given as Location] : []
  const seen = new Map<string, CodeLocation>()
  let outside = 0
  for (const one of all as readonly (Location | LocationLink)[]) {
    const found = foundIn(one)
    if (found === undefined || !isVisibleTo(allowed, found.path)) outside++
    else seen.set(`${found.path}:${found.range.start.line}:${found.range.start.character}`, found)
  }
  return { inside: [...seen.values()].sort(byPlace), outside }
}

function foundIn(one: Location | LocationLink): CodeLocation | undefined {
  const isLink = 'targetUri' in one
  const path = pathOfUri(isLink ? one.targetUri : one.uri)
  if (path === undefined) return undefined
  return isLink ? { path, range: one.targetSelectionRange, whole: one.targetRange } : { path, range: one.range }
}

function byPlace(one: CodeLocation, other: CodeLocation): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  return one.range.start.line - other.range.start.line || one.range.start.character - other.range.start.character
}

/** Lines of files, each file read once. */
export class LineReader {
  readonly #allowed: AllowedFolders
  readonly #maxBytes: number
  readonly #files = new Map<string, Promise<readonly string[]>>()

  constructor(allowed: AllowedFolders, maxBytes: number) {
    this.#allowed = allowed
    this.#maxBytes = maxBytes
  }

  /** The lines of a file; none if it cannot be read. */
  of(path: string): Promise<readonly string[]> {
    const read = () => readTextFile(this.#allowed, path, this.#maxBytes).then(({ text }) => splitLines(text))
    const lines = this.#files.get(path) ?? read().catch(() => [])
    this.#files.set(path, lines)
    return lines
  }
}

/** The lines of a text. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/)
}

/** The beginning of a declaration: its first lines up to its body, at most 300 characters. */
export function signatureAt(lines: readonly string[], line: number): string {
  const first = lines.slice(line, line + 6)
  const end = first.findIndex((text) => /[{;=]\s*$|=>|:\s*$|\)\s*$/.test(text))
  const shown = first.slice(0, end < 0 ? 1 : end + 1).map((text) => text.trim())
  return shown.join(' ').slice(0, 300)
}
