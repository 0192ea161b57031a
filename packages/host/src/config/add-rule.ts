import type { Value } from './document/document.ts'
import { editConfigFile } from './edit-config-file.ts'
import type { FileChange } from './undo.ts'

/** Writes one more rule to a configuration file and returns the change. */
export function addRule(file: string, effect: 'allow' | 'ask' | 'deny', rule: Value): Promise<FileChange> {
  return editConfigFile(file, [{ path: ['policy', effect], append: rule }])
}
