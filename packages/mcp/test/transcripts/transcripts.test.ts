/** Compares what is said with what was written down; with `--update`, or UPDATE_TRANSCRIPTS=1, writes it down anew. */
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { revisions } from '../../src/testing.ts'
import { skip } from '../differential/referee.ts'
import { misfits, officialOf } from './misfits.ts'
import { topics } from './topics.ts'
import { transcribe } from './transcribe.ts'

const isUpdate = process.argv.includes('--update') || process.env.UPDATE_TRANSCRIPTS === '1'
const folderOf = (revision: string): string => join(import.meta.dirname, revision)

for (const revision of revisions) {
  for (const [name, topic] of Object.entries(topics)) {
    test(`${name} is said in ${revision} as it is written down`, async () => {
      const said = await transcribe(topic, revision)
      const file = join(folderOf(revision), `${name}.txt`)
      if (isUpdate) {
        await mkdir(folderOf(revision), { recursive: true })
        await writeFile(file, said)
      }
      assert.equal(said, await readFile(file, 'utf8'))
    })
  }

  test(`every transcript of ${revision} has its topic`, async () => {
    const files = Object.keys(topics).map((name) => `${name}.txt`)
    assert.deepEqual((await readdir(folderOf(revision))).sort(), files.sort())
  })

  test(`every message in the transcripts of ${revision} fits the official schema`, { skip }, async () => {
    const official = officialOf(revision)
    for (const name of Object.keys(topics)) {
      const text = await readFile(join(folderOf(revision), `${name}.txt`), 'utf8')
      assert.deepEqual(misfits(text, official), [], name)
    }
  })
}

test('misfits finds a message that the official schema does not allow', { skip }, () => {
  const good = '→ {"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  const bad = '← {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":7}]}}'
  const unknown = '→ {"jsonrpc":"2.0","id":2,"method":"tools/dance"}'
  assert.deepEqual(misfits([good, bad, unknown].join('\n'), officialOf('2025-06-18')), [bad, unknown])
})
