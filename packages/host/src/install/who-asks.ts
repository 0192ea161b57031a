import { readFile } from 'node:fs/promises'
import { canonicalJson } from '@trunkline/mcp'
import type { PromptOff } from '../clients/client.ts'
import { expand, type Machine } from '../clients/client-files.ts'
import { findClient } from '../clients/clients.ts'
import { type Edit, type Value, valueAt } from '../config/document/document.ts'
import { readJson } from '../config/document/json.ts'
import { editJson } from '../config/document/json-edit.ts'
import { describeProblem } from '../config/problem.ts'
import { type FileChange, undoChange } from '../config/undo.ts'

/** Who asks a person before a call runs: this host for all clients alike, or the client by its own prompt. */
export type WhoAsks = 'trunkline' | 'client'

/** A change to another file than that with the entries, and the single settings it is made of. */
export interface AskingChange extends FileChange {
  readonly edits: readonly Edit[]
}

export interface AskingOptions {
  readonly asks: WhoAsks
  readonly machine: Machine
  /** The person's own configuration, where a rule is written when the client asks. */
  readonly userFile: string
}

/** Whether a client may ask before it calls a tool, and whether a file can turn that off. */
export function clientAsks(id: string): { readonly asksFirst: boolean; readonly canTurnOff: boolean } {
  const client = findClient(id)
  return { asksFirst: client?.asksFirst?.value !== false, canTurnOff: client?.promptOff !== undefined }
}

/** What has to stand in the entries of a client so that it does not ask itself. */
export function entryEdits(id: string, entryPaths: readonly Edit['path'][], { asks }: AskingOptions): readonly Edit[] {
  const off = findClient(id)?.promptOff?.value
  if (asks !== 'trunkline' || off?.where !== 'entry') return []
  return entryPaths.map((path) => ({ path: [...path, ...off.keys], value: off.value }))
}

/**
 * What changes in other files so that one of both asks, and never both. Where the client asks, a rule allows what writes
 * and what is unknown for it; what destroys, is tainted or has changed is asked about here all the same.
 */
export async function planWhoAsks(
  id: string,
  names: readonly string[],
  options: AskingOptions,
): Promise<readonly AskingChange[]> {
  if (options.asks === 'client') {
    const rule = { class: ['writes', 'unknown'], principal: id }
    return [await planned(options.userFile, [{ path: ['policy', 'allow'], append: rule }])]
  }
  const off = findClient(id)?.promptOff?.value
  if (off === undefined || off.where === 'entry') return []
  const file = expand(off.where.path, options.machine)
  const edits = names.map((name) => promptEdit(off, name))
  return [await planned(file, edits)]
}

function promptEdit({ keys, value, adds }: PromptOff, name: string): Edit {
  const path = keys.map((key) => key.replaceAll('{server}', name))
  const named: Value = typeof value === 'string' ? value.replaceAll('{server}', name) : value
  return adds ? { path, append: named } : { path, value: named }
}

async function planned(file: string, edits: readonly Edit[]): Promise<AskingChange> {
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`Cannot edit "${file}": ${error.code}; make it readable for you`, { cause: error })
  })
  const [problem] = readJson(file, before ?? '').problems
  if (problem) throw new Error(`Cannot edit "${file}": ${describeProblem(problem)}`)
  return { file, before, after: editJson(before ?? '', edits), edits }
}

/** A file with such a change undone: as it was where nobody touched it, else without the settings; undefined when it has to go. */
export function undoAsking(change: AskingChange, text: string): string | undefined {
  return undoChange(change, text, (current) =>
    change.edits.reduce((now, edit) => without(change.file, now, edit), current),
  )
}

function without(file: string, text: string, edit: Edit): string {
  const { value, problems } = readJson(file, text)
  if (problems.length > 0) return text
  if (!('append' in edit)) return editJson(text, [{ path: edit.path, value: undefined }])
  const list = valueAt(value, edit.path)
  const at = Array.isArray(list) ? list.findIndex((item) => canonicalJson(item) === canonicalJson(edit.append)) : -1
  return at < 0 ? text : editJson(text, [{ path: [...edit.path, at], value: undefined }])
}
