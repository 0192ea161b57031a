import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

/** Copies every source below a folder with its types erased, as a published package would have it. */
export function eraseFolder(from: string, to: string): void {
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    const target = join(to, file.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, eraseOrThrow(file, readFileSync(join(from, file), 'utf8')))
  }
}

/** A module without its types; one that cannot be read says so when it is loaded, and only its importers suffer. */
export function eraseOrThrow(file: string, source: string): string {
  try {
    return eraseTypes(source)
  } catch (cause) {
    return `throw new SyntaxError(${JSON.stringify(`Cannot read ${file}: ${cause}`)})\n`
  }
}

/** A module without its types, whose imports name the erased files. */
export function eraseTypes(source: string): string {
  const erased = stripTypeScriptTypes(source)
  return erased.replace(/((?:\bfrom|\bimport)\s*\(?\s*')(\.[^']*)\.ts'/g, "$1$2.js'")
}
