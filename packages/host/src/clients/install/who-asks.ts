import { readFile } from 'node:fs/promises'
import { canonicalJson } from '@trunkline/mcp'
import { type Edit, type Value, valueAt } from '../../config/document/document.ts'
import { readJson } from '../../config/document/json.ts'
import { editJson } from '../../config/document/json-edit.ts'
import type { Machine } from '../../config/machine.ts'
import { describeProblem } from '../../config/problem.ts'
import { type FileChange, undoChange } from '../../config/undo.ts'
import type { PromptOff } from '../client.ts'
import { expand } from '../client-files.ts'
import { findClient } from '../clients.ts'

/** Program that asks a person before a call runs: this host for all clients alike, or the client by its own prompt. */
export type WhoAsks = 'trunkline' | 'client'

/** A change to another file than that with the entries, and the single settings it is made of. */
export interface AskingChange extends FileChange {
  readonly edits: readonly Edit[]
  /** Present content of the file, if it holds an earlier change of ours that this one replaces. @default `before` */
  readonly current?: string
  /** True if it was made before and still stands, so that there is nothing to write. @default false */
  readonly stands?: boolean
}

export interface WhoAsksOptions {
  readonly asks: WhoAsks
  readonly machine: Machine
  /** The person's own configuration, where a rule is written when the client asks. */
  readonly userFile: string
  /** Earlier changes for the same client. @default none */
  readonly earlier?: readonly AskingChange[] | undefined
}

/** Tells if a client may ask before it calls a tool, and if a file can turn that off. */
export function clientAsks(id: string): { readonly asksFirst: boolean; readonly canTurnOff: boolean } {
  const client = findClient(id)
  return { asksFirst: client?.asksFirst?.value !== false, canTurnOff: client?.promptOff !== undefined }
}

/** Edits in the entries of a client that turn off its own question. */
export function entryEdits(id: string, entryPaths: readonly Edit['path'][], { asks }: WhoAsksOptions): readonly Edit[] {
  const off = findClient(id)?.promptOff?.value
  if (asks !== 'trunkline' || off?.where !== 'entry') return []
  return entryPaths.map((path) => ({ path: [...path, ...off.keys], value: off.value }))
}

/**
 * Changes in other files so that exactly one of both asks. If the client asks, a rule allows it tools that write and
 * unknown ones; calls that destroy, are tainted or have changed are asked about here all the same.
 */
export async function planWhoAsks(
  id: string,
  names: readonly string[],
  options: WhoAsksOptions,
): Promise<readonly AskingChange[]> {
  const { earlier = [] } = options
  const wanted = wantedEdits(id, names, options)
  const isWanted = ({ file }: AskingChange) => wanted?.file === file
  const left = earlier.filter((change) => !isWanted(change)).map((change) => planned(change.file, [], change))
  const now = wanted ? [planned(wanted.file, wanted.edits, earlier.find(isWanted))] : []
  return Promise.all([...now, ...left])
}

function wantedEdits(
  id: string,
  names: readonly string[],
  { asks, userFile, machine }: WhoAsksOptions,
): { readonly file: string; readonly edits: readonly Edit[] } | undefined {
  if (asks === 'client') {
    const rule = { class: ['writes', 'unknown'], principal: id }
    return { file: userFile, edits: [{ path: ['policy', 'allow'], append: rule }] }
  }
  const off = findClient(id)?.promptOff?.value
  if (off === undefined || off.where === 'entry') return undefined
  return { file: expand(off.where.path, machine), edits: names.map((name) => promptEdit(off, name)) }
}

function promptEdit({ keys, value, adds }: PromptOff, name: string): Edit {
  const path = keys.map((key) => key.replaceAll('{server}', name))
  const named: Value = typeof value === 'string' ? value.replaceAll('{server}', name) : value
  return adds ? { path, append: named } : { path, value: named }
}

async function planned(file: string, edits: readonly Edit[], earlier?: AskingChange): Promise<AskingChange> {
  const current = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`Cannot edit "${file}": ${error.code}; make it readable for you`, { cause: error })
  })
  const [problem] = readJson(file, current ?? '').problems
  if (problem) throw new Error(`Cannot edit "${file}": ${describeProblem(problem)}`)
  const before = earlier && current !== undefined ? undoAsking(earlier, current) : current
  if (current === undefined || before === current) return { file, before, after: editJson(before ?? '', edits), edits }
  if (earlier && canonicalJson(earlier.edits) === canonicalJson(edits)) return { ...earlier, stands: true }
  return { file, before, current, after: editJson(before ?? '', edits), edits }
}

/** A file with such a change undone: as it was if it is untouched, else without the settings; undefined when it has to go. */
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
