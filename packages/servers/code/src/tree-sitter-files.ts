import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type * as TreeSitter from '@vscode/tree-sitter-wasm'

const require = createRequire(import.meta.url)

/** Folder beside the built command that holds tree-sitter, with its grammars compressed: 22 MB become 2. */
const besideCommand = join(import.meta.dirname, 'tree-sitter')

/** Loads the library of tree-sitter. */
export function loadTreeSitter(): typeof TreeSitter {
  const built = join(besideCommand, 'tree-sitter.cjs')
  return require(existsSync(built) ? built : '@vscode/tree-sitter-wasm') as typeof TreeSitter
}

/** Reads a bundled grammar; undefined if this installation does not have it. */
export async function readBundledGrammar(name: string): Promise<Uint8Array | undefined> {
  const file = `tree-sitter-${name}.wasm`
  if (existsSync(besideCommand)) {
    const compressed = await readFile(join(besideCommand, `${file}.br`)).catch(() => undefined)
    return compressed && promisify(brotliDecompress)(compressed)
  }
  return readFile(join(dirname(require.resolve('@vscode/tree-sitter-wasm')), file)).catch(() => undefined)
}
