import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fixture, runCli, runShop } from './run-cli.ts'
import { witness } from './witness.ts'

describe('the command call', () => {
  /** A shop that notes what reaches it, for what is not about how a server is started. */
  const noted = witness()
  let shop: Awaited<ReturnType<typeof runShop>>
  let url: string
  before(async () => {
    shop = await runShop(noted.file)
    url = shop.url
  })
  after(() => {
    shop[Symbol.dispose]()
    noted[Symbol.dispose]()
  })

  test('call: prints what the tool says', async () => {
    const { exit, stdout, stderr } = await runCli(['call', 'add', 'a=1', 'b=2.5', ...fixture('shop')])
    assert.deepEqual({ exit, stdout, stderr }, { exit: 0, stdout: '3.5\n', stderr: '' })
  })

  test('call: as JSON, the result of the protocol', async () => {
    const { exit, stdout, stderr } = await runCli(['call', '--json', 'add', 'a=1', 'b=2', ...fixture('shop')])
    assert.deepEqual({ exit, stderr }, { exit: 0, stderr: '' })
    assert.deepEqual(JSON.parse(stdout).content, [{ type: 'text', text: '3' }])
  })

  test('call: arguments become what the schema says they are', async () => {
    const typed = [
      'item=007',
      'size=large',
      'count=3',
      'gift=true',
      'tags=a',
      'tags=b',
      'address.street=Long',
      'address.number=5',
    ]
    const { exit, stdout } = await runCli(['call', url, 'order', ...typed])
    assert.equal(exit, 0)
    assert.deepEqual(JSON.parse(stdout), {
      item: '007',
      size: 'large',
      count: 3,
      gift: true,
      tags: ['a', 'b'],
      address: { street: 'Long', number: 5 },
    })
  })

  test('call: arguments from a file, from stdin and as JSON', async () => {
    using at = witness()
    const file = join(at.folder, 'order.json')
    writeFileSync(file, '{"item": "hat", "count": 2}')
    const fromFile = await runCli(['call', 'order', `@${file}`, ...fixture('shop')])
    assert.deepEqual(JSON.parse(fromFile.stdout), { item: 'hat', count: 2 })
    const fromStdin = await runCli(['call', 'order', '--json', '-', ...fixture('shop')], { input: '{"item": "shoe"}' })
    assert.deepEqual(JSON.parse(JSON.parse(fromStdin.stdout).content[0].text), { item: 'shoe' })
    const spelled = await runCli(['call', url, 'order', '{"item": "bag"}', 'tags:=["x"]'])
    assert.deepEqual(JSON.parse(spelled.stdout), { item: 'bag', tags: ['x'] })
    const missing = await runCli(['call', url, 'order', '@no-such-file'])
    assert.equal(missing.exit, 1)
    assert.match(missing.stderr, /"no-such-file": there is no such file/)
  })

  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a text for a number', ['add', 'a=abc', 'b=1'], /a must be a number/],
    ['no text for a number', ['add', 'a=', 'b=1'], /a must be a number/],
    ['a number that is none', ['add', 'a=NaN', 'b=1'], /a must be a number/],
    [
      'a number that cannot be sent exactly',
      ['add', 'a=12345678901234567890', 'b=1'],
      /"a": 12345678901234567890 is beyond/,
    ],
    ['a choice that there is not', ['order', 'item=x', 'size=huge'], /size must be "small" or "large"/],
    ['a name that there is not', ['order', 'itm=x'], /itm is no argument of it; did you mean "item"\?/],
    [
      'a member that there is not',
      ['order', 'item=x', 'address.stret=Long'],
      /address\.stret is no argument of it; did you mean "street"\?/,
    ],
    [
      'a member that a list of objects does not have',
      ['order', 'item=x', 'extras:=[{"name": "bow"}, {"nmae": "box"}]'],
      /extras\[1\]\.nmae is no argument of it; did you mean "name"\?/,
    ],
    [
      'a member that is closed out among others',
      ['order', 'item=x', 'card:={"text": "Hi", "size": "A5"}'],
      /card\.size is not allowed/,
    ],
    ['one that is missing', ['add', 'a=1'], /b is required/],
    ['one that is out of range', ['order', 'item=x', 'count=0'], /count must be at least 1/],
    ['one that is given twice', ['order', 'item=x', 'item=y'], /"item" twice/],
    [
      'what is no argument',
      ['add', '1', '2'],
      /Cannot use "1" as an argument: write name=value.*\nadd takes:\n {2}a {2}number, required/,
    ],
    ['JSON that is none', ['order', 'item=x', 'tags:=[1'], /Cannot read argument "tags"/],
  ]

  for (const [what, words, said] of refused) {
    test(`call: ${what} is refused, and nothing is sent`, async () => {
      const seen = noted.seen()
      const { exit, stdout, stderr } = await runCli(['call', url, ...words])
      assert.equal(exit, 1)
      assert.equal(stdout, '')
      assert.match(stderr, said)
      assert.doesNotMatch(stderr, /\n\s+at /)
      assert.equal(noted.seen(), seen)
    })
  }

  test('call: the expected shape is shown with what is wrong', async () => {
    const { stderr } = await runCli(['call', url, 'order', 'size=huge'])
    assert.match(stderr, /order takes:\n {2}item {5}string, required\n {2}size {5}"small" \| "large"\n/)
  })

  test('call: an error is one line of JSON on stderr', async () => {
    const { exit, stdout, stderr } = await runCli(['call', '--json', url, 'add', 'a=abc', 'b=1'])
    assert.equal(exit, 1)
    assert.equal(stdout, '')
    assert.equal(stderr.trimEnd().split('\n').length, 1)
    const { error } = JSON.parse(stderr)
    assert.equal(error.code, 'BadArguments')
    assert.equal(error.exit, 1)
    assert.deepEqual(error.data.problems, [{ path: 'a', message: 'must be a number' }])
  })

  test('call: unchecked arguments are left to the server', async () => {
    const { exit, stdout } = await runCli(['call', '--unchecked', url, 'add', 'a=abc', 'b=1'])
    assert.equal(exit, 2)
    assert.match(stdout, /a: must be a number/)
  })

  test('call: a tool of a near name is not run', async () => {
    const seen = noted.seen()
    const { exit, stderr } = await runCli(['call', url, 'ad', 'a=1', 'b=2'])
    assert.equal(exit, 1)
    assert.match(stderr, /Cannot find tool "ad": did you mean "add"\?/)
    assert.equal(noted.seen(), seen)
  })

  test('call: a tool that fails ends with 2, an error of the server with 3', async () => {
    const failed = await runCli(['call', url, 'fail'])
    assert.deepEqual(failed, {
      exit: 2,
      stdout: 'Out of coffee\n',
      stderr: 'trunkline: Tool "fail" says that it failed\n',
    })
    const inJson = await runCli(['call', '--json', url, 'fail'])
    assert.equal(JSON.parse(inJson.stdout).isError, true)
    assert.equal(JSON.parse(inJson.stderr).error.code, 'ToolError')
    const refusedCall = await runCli(['call', '--json', url, 'refuse'])
    assert.equal(refusedCall.exit, 3)
    const { error } = JSON.parse(refusedCall.stderr)
    assert.equal(error.code, '4242')
    assert.deepEqual(error.data, { opens: 'tomorrow' })
  })

  test('call: more on stdin than a message may hold is refused', async () => {
    const input = `{"item": "${'x'.repeat(11 * 1024 * 1024)}"}`
    const { exit, stderr } = await runCli(['call', 'order', '-', ...fixture('shop')], { input })
    assert.equal(exit, 1)
    assert.match(stderr, /Cannot read stdin: it is larger than 10485760 bytes/)
  })
})
