import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writePages } from './api-reference.ts'
import { checkApiReference, checkComments } from './check-api-reference.ts'
import { type EntryExports, exportedNames } from './declarations/exported-names.ts'
import { root } from './lib/files.ts'
import { described } from './lib/sample.ts'

/** Exports read from declarations that are written here; every file but `types` is an entry. */
function readFrom(files: { readonly [name: string]: string }): EntryExports[] {
  const folder = join(root, 'node_modules/.cache/declarations', `${process.pid}1`)
  mkdirSync(folder, { recursive: true })
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.d.ts`), text)
    const entries = Object.keys(files).filter((name) => name !== 'types')
    return exportedNames(entries.map((name) => ({ name: `@x/${name}`, path: join(folder, `${name}.d.ts`) })))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const types = `/** Asks. */
export interface Request {
    /** Which one. */
    readonly id: number;
}
/** Answers. */
export declare function answer(request: Request): void;
/** Waits. */
export declare class Server {
    #private;
    close(): Promise<void>;
}
`
const entry = `/** All of it. */

export { answer, type Server } from './types.js';
export type { Request as RequestMessage } from './types.js';
`

test('exportedNames: functions, constants and classes by kind; what is exported as a type is one', () => {
  const [read] = readFrom({ types, entry: `${entry}/** A code. */\nexport declare const Code = 1;\n` })
  assert.equal(read?.doc, 'All of it.')
  assert.deepEqual(
    read?.names.map(({ name, kind, doc }) => [name, kind, doc]),
    [
      ['answer', 'function', 'Answers.'],
      ['Code', 'constant', 'A code.'],
      ['RequestMessage', 'type', 'Asks.'],
      ['Server', 'type', 'Waits.'],
    ],
  )
})

test('exportedNames: declarations use the names that users import, and keep the comments of members', () => {
  const [read] = readFrom({ types, entry })
  const declarations = Object.fromEntries((read?.names ?? []).map(({ name, declaration }) => [name, declaration]))
  assert.equal(declarations.answer, 'function answer(request: RequestMessage): void;')
  assert.equal(
    declarations.RequestMessage,
    'interface RequestMessage {\n  /** Which one. */\n  readonly id: number;\n}',
  )
  assert.doesNotMatch(declarations.Server ?? '', /#private/)
})

test('writePages: a name is described once, by the part that exports it, and other entries link to it', () => {
  const second = "/** A part. */\n\nexport { answer } from './types.js';\n"
  const [index, whole, part] = writePages(readFrom({ types, entry, second }))
  assert.match(index?.text ?? '', /\[`@x\/second`\]\(second\.md\) \| A part\. \| `answer` \|/)
  assert.match(part?.text ?? '', /## Functions\n\n### answer\n\nAnswers\.\n\n```ts\nfunction answer/)
  assert.match(whole?.text ?? '', /On \[second\.md\]\(second\.md\):\n\[`answer`\]\(second\.md#answer\)/)
  assert.match(whole?.text ?? '', /### RequestMessage\n\nAsks\./)
  assert.doesNotMatch(whole?.text ?? '', /### answer/)
})

test('writePages: names that several parts share are on the page of their topic', () => {
  const origin = '/cache/wire/errors.d.ts:7'
  const names = [{ name: 'Fault', kind: 'class', doc: 'Fails.', declaration: 'class Fault {}', origin }] as const
  const entries = ['@x/whole', '@x/whole/one', '@x/whole/two'].map((name) => ({ entry: name, doc: name, names }))
  const pages = writePages(entries)
  assert.deepEqual(
    pages.filter(({ text }) => text.includes('### Fault')).map(({ path }) => path),
    ['docs/api/error-types.md'],
  )
  const links = pages.filter(({ text }) => text.includes('[`Fault`](error-types.md#fault)'))
  assert.equal(links.length, entries.length)
  assert.match(pages[0]?.text ?? '', /- \[Errors\]\(error-types\.md\)/)
})

test('checkApiReference: pages that are outdated, missing or left over are named', () => {
  const pages = writePages(readFrom({ types, entry }))
  assert.deepEqual(checkApiReference(pages, pages), [])
  const old = { path: 'docs/api/entry.md', text: 'old' }
  const gone = { path: 'docs/api/gone.md', text: '' }
  assert.deepEqual(
    checkApiReference(pages, [old, gone]).map(({ path }) => path),
    ['docs/api/README.md', 'docs/api/entry.md', 'docs/api/gone.md'],
  )
})

test('checkComments: whatever users import says what it is', () => {
  const read = readFrom({ entry: 'export interface Bare { readonly a: 1; }\n' })
  assert.deepEqual(described(checkComments(read)), [
    '@x/entry: Has no doc comment: write one at the top of its file',
    '@x/entry: Has no doc comment: Bare',
  ])
})
