import { fitsGlob } from '@trunkline/base/glob'
import type { AllowedFolders } from '@trunkline/server-kit/folders'
import type { FilesLimits } from './files-limits.ts'
import { readWhole } from './read-part.ts'
import { textOfBytes } from './text-or-bytes.ts'
import { walkFiles } from './walk.ts'

/** Text to search for, and where. */
export interface TextSearch {
  readonly text: string
  readonly path: string
  /** Only in files whose names fit. */
  readonly files: string
  readonly ignoreCase: boolean
  readonly limits: FilesLimits
  readonly signal: AbortSignal
}

/** A line that holds the text. */
export interface TextMatch {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Matches of a search, and the files it skipped. */
export interface TextMatches {
  readonly matches: readonly TextMatch[]
  /** True if there may be more. */
  readonly isCut: boolean
  /** Files that were too large to be looked into. */
  readonly tooLarge: readonly string[]
}

const longestLine = 400

/** Finds the lines that hold a text; files that are no text are passed over. */
export async function findText(allowed: AllowedFolders, search: TextSearch): Promise<TextMatches> {
  const { limits, ignoreCase } = search
  const wanted = ignoreCase ? search.text.toLowerCase() : search.text
  const matches: TextMatch[] = []
  const tooLarge: string[] = []
  const within = { ...limits, maxReadBytes: limits.maxSearchedBytes }
  for await (const { path, name } of walkFiles(allowed, search.path, search)) {
    if (!fitsGlob(search.files, name)) continue
    const content = await readWhole(allowed, path, within).catch(() => undefined)
    if (content === undefined) tooLarge.push(name)
    const text = content && textOfBytes(content.bytes)
    if (text === undefined || !(ignoreCase ? text.toLowerCase() : text).includes(wanted)) continue
    for (const [at, line] of text.split(/\r?\n/).entries()) {
      if (!(ignoreCase ? line.toLowerCase() : line).includes(wanted)) continue
      if (matches.length === limits.maxMatches) return { matches, isCut: true, tooLarge }
      matches.push({ file: name, line: at + 1, text: shortened(line, wanted, ignoreCase) })
    }
  }
  return { matches, isCut: false, tooLarge }
}

/** The files whose names fit a pattern. */
export async function findNames(
  allowed: AllowedFolders,
  {
    pattern,
    path,
    limits,
    signal,
  }: { readonly pattern: string; readonly path: string; readonly limits: FilesLimits; readonly signal: AbortSignal },
): Promise<{ readonly files: readonly string[]; readonly isCut: boolean }> {
  const files: string[] = []
  for await (const { name } of walkFiles(allowed, path, { limits, signal })) {
    if (!fitsGlob(pattern, name)) continue
    if (files.length === limits.maxEntries) return { files, isCut: true }
    files.push(name)
  }
  return { files, isCut: false }
}

/** A line, or the part of a long one around what was found. */
function shortened(line: string, wanted: string, ignoreCase: boolean): string {
  if (line.length <= longestLine) return line
  const at = (ignoreCase ? line.toLowerCase() : line).indexOf(wanted)
  const start = Math.max(0, at - longestLine / 2)
  return `…${line.slice(start, start + longestLine)}…`
}
