import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { McpError } from '../../../wire/errors.ts'

/** The text of a file of settings, and its whole path; undefined where there is no such file. */
export function readSettingsFile(path: string): { readonly path: string; readonly text: string } | undefined {
  const whole = resolve(path)
  try {
    return { path: whole, text: readFileSync(whole, 'utf8') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new McpError('Misuse', `Cannot read settings: "${whole}" cannot be read: ${(error as Error).message}`)
  }
}
