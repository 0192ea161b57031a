import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { run } from './lib/run.ts'
import { testFilesAt } from './run-tests.ts'

function folderWith(context: TestContext, texts: { readonly [name: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'run-tests-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(texts))
    writeFileSync(join(folder, name), `import { test } from 'node:test'\n${text}`)
  return folder
}

const program = 'tools/run-tests.ts'
const good = "test('good', () => {}); test('left out', { skip: 'no moon' }, () => {})"

test('run-tests: ends with the totals alone on a line, says what was skipped, and keeps every line', async (context) => {
  const folder = folderWith(context, { 'a.test.ts': good, 'b.test.ts': good })
  const log = join(folder, 'all.log')
  const { passed, output } = await run(process.execPath, [program, '--alone', '--log', log, folder])
  assert.ok(passed, output)
  assert.equal(output.trimEnd().split('\n').at(-1), '2 passed, 0 failed, 2 skipped')
  assert.match(output, /^SKIPPED 2: no moon$/m)
  assert.equal(readFileSync(log, 'utf8').match(/^ {2}passed good /gm)?.length, 2)
})

test('run-tests: a file that hangs fails in its time, by name, and the totals still end the run', async (context) => {
  const hang = "test('waits', () => new Promise(() => setInterval(() => {}, 1000)))"
  const folder = folderWith(context, { 'hangs.test.ts': hang, 'bad.test.ts': "test('bad', () => { throw 'that' })" })
  const log = join(folder, 'all.log')
  const { passed, output } = await run(process.execPath, [
    program,
    '--alone',
    '--log',
    log,
    '--file-seconds',
    '5',
    folder,
  ])
  assert.ok(!passed)
  assert.match(output, /^FAIL .*hangs\.test\.ts: it took longer than 5 s/m)
  assert.match(output, /^FAIL .*bad\.test\.ts › bad\n {2}at .*bad\.test\.ts:2:1\n {4}'that'$/m)
  assert.equal(output.trimEnd().split('\n').at(-1), '0 passed, 2 failed, 0 skipped')
})

test('run-tests: a limit that is no number is refused', async () => {
  const { passed, output } = await run(process.execPath, [program, '--file-seconds', 'soon'])
  assert.ok(!passed)
  assert.match(output, /Cannot use --file-seconds "soon": a number of seconds above 0 is wanted/)
})

test('testFilesAt: files and folders as they are named, each file once, nothing installed, and never nothing', () => {
  const found = testFilesAt(['tools/run-tests', 'tools/run-tests/progress.test.ts', 'tools/ok.test.ts'])
  assert.equal(found.at(-1), 'tools/ok.test.ts')
  assert.deepEqual(found.slice(0, -1), [...new Set(found.slice(0, -1))].sort())
  assert.ok(found.includes('tools/run-tests/progress.test.ts'))
  assert.throws(() => testFilesAt(['docs']), /Cannot run the tests of "docs": there are none/)
})
