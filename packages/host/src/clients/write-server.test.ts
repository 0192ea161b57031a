import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleHome } from '../../test/config/sample-home.ts'
import type { ServerEntry } from '../config/schema/server-entry.ts'
import { readDocument, writableFormats, writeServer } from './formats.ts'

const files: { readonly [id: string]: keyof typeof sampleHome } = {
  'mcp-json': 'shop/.mcp.json',
  'claude-code': '.claude.json',
  'claude-desktop': '.config/Claude/claude_desktop_config.json',
  vscode: '.config/Code/User/mcp.json',
  cursor: '.cursor/mcp.json',
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
  opencode: '.config/opencode/opencode.jsonc',
  zed: '.config/zed/settings.json',
  cline: '.cline/data/settings/cline_mcp_settings.json',
  junie: '.junie/mcp/mcp.json',
  'copilot-cli': '.copilot/mcp-config.json',
}

const program: ServerEntry = { command: 'trunkline', args: ['stdio', '--client', 'x'], env: { A: 'b' } }
const address: ServerEntry = { url: 'http://127.0.0.1:4173/mcp', headers: { Authorization: 'Bearer t' } }

for (const format of writableFormats) {
  const text = sampleHome[files[format.id] ?? assert.fail(`no sample of ${format.id}`)]
  const documentOf = (current: string) => readDocument(format, 'f', current)
  const read = (current: string, name: string) =>
    format.read(documentOf(current)).servers.find((one) => one.name === name)?.entry

  for (const lineEnd of ['\n', '\r\n']) {
    const before = text.replaceAll('\n', lineEnd)
    test(`writeServer: ${format.id} with ${JSON.stringify(lineEnd)}: an added entry is read again, and its removal leaves every byte`, () => {
      for (const entry of [program, address]) {
        if (format.write(entry) === undefined) continue
        const after = writeServer(format, documentOf(before), 'mine', entry)
        assert.deepEqual(read(after, 'mine'), entry)
        assert.equal(writeServer(format, documentOf(after), 'mine', undefined), before)
        if (lineEnd === '\r\n') assert.doesNotMatch(after, /(?<!\r)\n/)
      }
    })
  }

  test(`writeServer: ${format.id}: a file that is not there yet`, () => {
    const after = writeServer(format, documentOf(''), 'mine', program)
    assert.deepEqual(read(after, 'mine'), program)
    assert.ok(after.endsWith('\n'))
  })

  test(`writeServer: ${format.id}: an entry is replaced, the others stay`, () => {
    const names = format.read(documentOf(text)).servers.map(({ name }) => name)
    const [first = ''] = names
    const after = writeServer(format, documentOf(text), first, program)
    assert.equal(read(after, first)?.command, 'trunkline')
    for (const name of names.slice(1)) assert.deepEqual(read(after, name), read(text, name))
  })

  test(`writeServer: ${format.id}: a broken file is not touched`, () => {
    const broken = format.syntax === 'toml' ? '[a\n' : '{ "a": '
    assert.throws(
      () => writeServer(format, documentOf(broken), 'mine', program),
      /Cannot edit "f": line 1 is not (?:JSON|TOML)/,
    )
  })
}

test('writeServer: a client that takes programs only refuses an address', () => {
  const format = writableFormats.find(({ id }) => id === 'claude-desktop')
  assert.ok(format)
  assert.throws(() => writeServer(format, readDocument(format, 'f', ''), 'mine', address), /it takes programs only/)
})
