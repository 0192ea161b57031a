import { writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { AuthoringError } from '../failure/authoring-error.ts'
import type { ProgramDescription } from './description.ts'

/** Writes a description for a person to edit; never overwrites a file. */
export async function writeDescription(path: string, description: ProgramDescription): Promise<void> {
  const text = path.endsWith('.json') ? `${JSON.stringify(description, null, 2)}\n` : remarks + stringify(description)
  await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new AuthoringError(`Cannot write "${path}": it is there already`, 'Name another file')
    throw error
  })
}

const remarks = `# What "trunkline wrap" offers of this program. Leave out what no model should use, and say better what the rest is
# for. A tool may also have: title, stdin (true), okExitCodes, signals, output (auto, text, json, json-lines, csv), outputSchema, tty (true),
# timeoutSeconds, annotations (readOnlyHint, destructiveHint, idempotentHint, openWorldHint).
# Beside tools there may be: instructions, env (NAME: value, or NAME: { from: NAME }), timeoutSeconds, tty,
# resources (uri, name, mimeType, command) and prompts (name, description, arguments, text).
`
