import { showWords } from '@trunkline/base/show-words'
import type { PlannedServer } from './import-plan.ts'

/** The command or address of a server in full, for a person; its secrets are left out. */
export function shownCommand({ entry, secrets }: Pick<PlannedServer, 'entry' | 'secrets'>): string {
  const { command = '', args = [], url } = entry
  // before words are quoted, which writes some characters of a secret differently
  const masked = (text: string) => secrets.reduce((left, { value }) => left.replaceAll(value, '…'), text)
  return url === undefined ? showWords([command, ...args].map(masked)) : masked(url)
}
