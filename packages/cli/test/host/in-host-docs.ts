import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/host.md'), 'utf8')

/** Fails unless each line that a command printed stands on the page about the host, with its example names and numbers. */
export function assertInHostDocs(
  printed: string,
  examples: readonly (readonly [real: string | RegExp, example: string])[],
) {
  const shown = examples.reduce((text, [real, example]) => text.replaceAll(real, () => example), printed)
  const lines = page.split('\n').map((line) => line.trim())
  for (const line of shown.trim().split('\n')) assert.ok(lines.includes(line.trim()), `docs/host.md lacks: ${line}`)
}
