import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lacking } from '../../../tools/lib/needs.ts'
import { pageLines } from '../src/asking/page-address.ts'
import { questionLines, type ShownQuestion } from '../src/host/show.ts'
import { plainLine } from '../src/output/span.ts'
import { hasProgram } from './has-program.ts'
import { fixture } from './run-cli.ts'
import { inTerminal } from './tmux.ts'
import { witness } from './witness.ts'

const limit = { timeout: 120_000, skip: lacking('tmux', hasProgram('tmux')) }

test('call in a terminal: what is missing is asked for, until it fits', limit, async () => {
  await using terminal = await inTerminal(['call', 'add', 'a=1', ...fixture('shop')])
  await terminal.until(/b: number:/)
  await terminal.type('abc', 'Enter')
  await terminal.until(/must be a number\n.*b: number:/)
  await terminal.type('41', 'Enter')
  assert.match(await terminal.until(/^exit:/m), /^42\nexit:0$/m)
})

test('call in a terminal: Ctrl-D at a question ends it, and nothing is sent', limit, async () => {
  using at = witness()
  await using terminal = await inTerminal(['call', ...at.env, 'add', 'a=1', ...fixture('shop')])
  await terminal.until(/b: number:/)
  await terminal.type('C-d')
  assert.match(await terminal.until(/^exit:/m), /^exit:130$/m)
  assert.equal(at.seen(), '')
})

test('call in a terminal: --no-input asks nothing', limit, async () => {
  await using terminal = await inTerminal(['call', '--no-input', 'add', 'a=1', ...fixture('shop')])
  assert.match(await terminal.until(/^exit:/m), /b is required[\s\S]*^exit:1$/m)
})

test('elicitation: a form is filled in field by field, looked over and sent', limit, async () => {
  await using terminal = await inTerminal(['call', 'greet', ...fixture('shop')])
  await terminal.until(/\[the server asks\] Who are you\?\n.*Your name \(name\): string:/)
  await terminal.type('Ada', 'Enter')
  await terminal.until(/age: integer:/)
  await terminal.type('-1', 'Enter')
  await terminal.until(/must be at least 0/)
  await terminal.type('36', 'Enter')
  await terminal.until(/1\) small\n +2\) large\n +size: one of these/)
  await terminal.type('2', 'Enter')
  await terminal.until(/news: boolean \[false\]:/)
  await terminal.type('Enter')
  await terminal.until(/"name": "Ada"[\s\S]*Send this\?/)
  // Enter alone sends nothing
  await terminal.type('Enter')
  await terminal.until(/Send this\?[\s\S]*Send this\?/)
  await terminal.type('y', 'Enter')
  assert.match(await terminal.until(/^exit:/m), /^Hello Ada, 36, large, false\nexit:0$/m)
})

test('elicitation: declined, the tool says so', limit, async () => {
  await using terminal = await inTerminal(['call', 'greet', ...fixture('shop')])
  await terminal.until(/Your name/)
  await terminal.type('C-d')
  assert.match(await terminal.until(/^exit:/m), /^exit:2$/m)
})

test('elicitation: a page is shown with its host, and nothing is opened', limit, async () => {
  await using terminal = await inTerminal(['call', 'visit', ...fixture('shop')])
  const shown = await terminal.until(/y: I have, n: I will not/)
  assert.match(shown, /https:\/\/pay\.example\.com\/order\/1/)
  assert.match(shown, /on the host pay\.example\.com/)
  await terminal.type('y', 'Enter')
  assert.match(await terminal.until(/^exit:/m), /^paid\nexit:0$/m)
})

test('pageLines: the host a page is really on, and whatever about its address can mislead', () => {
  const said = (url: string) => pageLines(url).map(plainLine).join('\n')
  assert.equal(said('https://pay.example.com/order'), '  on the host pay.example.com')
  assert.equal(said('http://127.0.0.1:4000/'), '  on the host 127.0.0.1:4000')
  assert.match(said('http://pay.example.com'), /on the host pay\.example\.com, not encrypted$/)
  // the second letter is a Cyrillic one
  const alike = said('https://paypal.com@p\u0430ypal.example/contract')
  assert.match(alike, /on the host xn--pypal-4ve\.example\n/)
  assert.match(alike, /shown elsewhere as p\u0430ypal\.example, whose letters may look like others\n/)
  assert.match(alike, /what stands before the @ is no part of where it leads/)
  for (const none of ['javascript:alert(1)', 'file:///etc/passwd', 'nothing'])
    assert.match(said(none), /it is not the address of a page; do not open it/)
  const question = { kind: 'page', server: 'shop', target: 'x', why: 'x', askedAt: 0, id: '1', principal: '' }
  const asked = { ...question, detail: { url: 'https://p\u0430ypal.example' } } as unknown as ShownQuestion
  assert.match(questionLines(asked).map(plainLine).join('\n'), /on the host xn--pypal-4ve\.example/)
})

test('sampling: the request is looked over, answered, and the answer looked over', limit, async () => {
  await using terminal = await inTerminal(['call', 'think', ...fixture('shop')])
  assert.match(await terminal.until(/Answer it yourself\?/), /system: Be brief\n +user: What rhymes with shop\?/)
  await terminal.type('y', 'Enter')
  await terminal.until(/Answer:/)
  await terminal.type('hop', 'Enter')
  await terminal.until(/Send this answer\?/)
  await terminal.type('y', 'Enter')
  assert.match(await terminal.until(/^exit:/m), /The model says: .*"hop"[\s\S]*exit:0/)
})

test('sampling: refused by the user, the server is told', limit, async () => {
  await using terminal = await inTerminal(['call', 'think', ...fixture('shop')])
  await terminal.until(/Answer it yourself\?/)
  await terminal.type('n', 'Enter')
  const shown = await terminal.until(/^exit:/m)
  assert.match(shown, /reject|fail/i)
  assert.doesNotMatch(shown, /exit:0/)
})

test('a long call shows how far it is, and Ctrl-C cancels it at the server', limit, async () => {
  using at = witness()
  await using terminal = await inTerminal(['call', ...at.env, 'slow', ...fixture('shop')])
  await terminal.until(/slow \d+ %, step \d+/)
  await terminal.type('C-c')
  const shown = await terminal.until(/^exit:/m)
  assert.match(shown, /^trunkline: Interrupted\nexit:130$/m)
  // the line about progress is gone
  assert.doesNotMatch(shown, /step/)
  assert.match(at.seen(), /^slow began\nslow stopped\n$/)
})

test('colours in a terminal, and none with NO_COLOR', limit, async () => {
  await using coloured = await inTerminal(['tools', ...fixture('shop')], { TERM: 'xterm-256color' })
  await coloured.until(/^exit:0/m)
  assert.ok((await coloured.colours()).includes('\u001b[36m'))
  await using plain = await inTerminal(['tools', ...fixture('shop')], { NO_COLOR: '1' })
  await plain.until(/^exit:0/m)
  assert.ok(!(await plain.colours()).includes('\u001b[36m'))
})

test('a question is put ten times at most', limit, async () => {
  await using terminal = await inTerminal(['call', 'add', 'a=1', ...fixture('shop')])
  await terminal.until(/b: number:/)
  for (let attempt = 1; attempt <= 10; attempt++) {
    await terminal.type('x', 'Enter')
    const next = attempt < 10 ? '[\\s\\S]*b: number:\\s*$' : ''
    await terminal.until(new RegExp(`(?:must be a number[\\s\\S]*){${attempt}}${next}`))
  }
  assert.match(await terminal.until(/^exit:/m), /^exit:130$/m)
})

test('a terminal that closes stops the call at the server', limit, async () => {
  using at = witness()
  {
    await using terminal = await inTerminal(['call', ...at.env, 'slow', ...fixture('shop')])
    await terminal.until(/slow \d+ %/)
  }
  await at.whenSeen(/slow stopped/)
})

test('what a server asks cannot move the cursor or hide anything', limit, async () => {
  await using terminal = await inTerminal(['call', 'trick', ...fixture('shop')])
  const shown = await terminal.until(/Send this|Name/)
  assert.match(shown, /\[the server asks\] Hello\\u\{1b\}\[2J\\u\{202e\}/)
})
