import { slugOf } from '../act/server-name.ts'
import { isTable, type Table, type Value, valueAt } from './document/document.ts'
import { editJson, renameJsonKey } from './document/json-edit.ts'
import { planFileChange, type WrittenFile, writeFileChange } from './file-change.ts'
import type { ServerEntry } from './schema/server-entry.ts'
import type { FileChange } from './undo.ts'
import { valueEdits } from './value-edits.ts'

/** A change to a server of a configuration file. */
export type ServerChange =
  | { readonly kind: 'disable' | 'enable' | 'remove' }
  | { readonly kind: 'rename'; readonly to: string }
  | { readonly kind: 'edit'; readonly entry: ServerEntry }

/** Plans a change to a server of a file; undefined if the file has no such server. All else in the file stays as it is. */
export async function planServerChange(
  file: string,
  name: string,
  change: ServerChange,
): Promise<FileChange | undefined> {
  let isThere = true
  const planned = await planFileChange(file, (written) => {
    const next = serverChanged(written, name, change)
    isThere = next !== undefined
    return next ?? written.text
  })
  return isThere ? planned : undefined
}

/** Changes a server of a file at once; undefined if the file has no such server. */
export async function changeServer(file: string, name: string, change: ServerChange): Promise<FileChange | undefined> {
  const planned = await planServerChange(file, name, change)
  if (planned) await writeFileChange(planned)
  return planned
}

/** The entry of a server as a file has it, and its key there, which need not be a legal name; undefined if there is none. */
export function writtenServer(value: Value, name: string): { readonly key: string; readonly entry: Table } | undefined {
  const servers = valueAt(value, ['mcpServers'])
  if (!isTable(servers)) return undefined
  const key = Object.hasOwn(servers, name) ? name : Object.keys(servers).find((one) => slugOf(one) === name)
  const entry = key === undefined ? undefined : servers[key]
  return key !== undefined && isTable(entry) ? { key, entry } : undefined
}

function serverChanged({ text, value }: WrittenFile, name: string, change: ServerChange): string | undefined {
  const found = writtenServer(value, name)
  if (!found) return undefined
  const { key, entry } = found
  const path = ['mcpServers', key]
  if (change.kind === 'remove') return editJson(text, [{ path, value: undefined }])
  if (change.kind === 'rename') return renameJsonKey(text, path, change.to)
  if (change.kind === 'edit') return editJson(text, valueEdits(path, entry, change.entry as Value))
  const isDisabled = change.kind === 'disable'
  if ((entry.disabled === true) === isDisabled) return text
  // the default is not written down
  return editJson(text, [{ path: [...path, 'disabled'], value: isDisabled ? true : undefined }])
}
