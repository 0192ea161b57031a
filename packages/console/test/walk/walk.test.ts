/** Eleven tasks of a person, each done with the mouse and by keyboard alone; the twelfth is in `host-killed.test.ts`. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { textOf } from '../../../host/test/gateway/running-host.ts'
import { providerKey, type ScriptedProvider, scriptedProvider } from '../../../host/test/model/scripted-provider.ts'
import { callerOf, programEntry } from '../../../host/test/run/person.ts'
import { noBrowser } from '../../../mcp/test/fixtures/browser.ts'
import { clockTime } from '../../src/text/relative-time.ts'
import { shortPaths } from '../../src/text/short-paths.ts'
import { violations } from '../axe.ts'
import { type OpenConsole, openConsole } from '../open-page.ts'
import { asksEntry, kindsEntry } from '../programs/entry.ts'
import { sharedBrowser } from '../shared-browser.ts'
import { type Hand, mouse } from './hand.ts'
import { keyboard } from './keyboard.ts'

/** Presses that a task may take, ways to a screen included. */
const maxSteps = 6
const upstream = programFile(new URL('../../../host/test/programs/upstream.ts', import.meta.url))
const hands = [
  { name: 'mouse', make: mouse, client: 'Cursor', file: '.cursor/mcp.json' },
  { name: 'keyboard', make: keyboard, client: 'Windsurf', file: '.codeium/windsurf/mcp_config.json' },
] as const

describe('a walk through the console', { skip: noBrowser }, () => {
  let open: OpenConsole
  let editor: Client
  let provider: ScriptedProvider
  const codes: string[] = []

  before(async () => {
    provider = await scriptedProvider()
    const locked = (hand: string) => [`locked-${hand}`, programEntry('upstream', { env: { KEY: `secret:${hand}` } })]
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: {
        mcpServers: {
          shop: programEntry(),
          broken: programEntry(),
          kinds: kindsEntry(),
          asks: asksEntry(),
          ...Object.fromEntries(hands.map(({ name }) => locked(name))),
        },
        models: { best: { provider: 'compatible', url: provider.url, key: `\${KEY}` } },
        policy: { allow: ['broken:crash', 'asks:*'] },
      },
      environment: { KEY: providerKey },
      accepted: ['shop', 'broken', 'kinds', 'asks'],
      path: '/servers',
      run: { onAcceptCode: ({ code }) => codes.push(code), launcher: ['/usr/local/bin/trunkline'] },
    })
    editor = await callerOf(open.running)
    await recordYesterday()
    await open.page.getByRole('heading', { level: 1 }).waitFor()
  })
  after(async () => {
    await editor.close()
    await open[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  /** Two calls of the day before, one of them at three. */
  async function recordYesterday(): Promise<void> {
    const { ledger, store } = open.running.host
    const yesterday = new Date(new Date().setHours(0, 0, 0, 0) - 12 * 3_600_000).setHours(0, 0, 0, 0)
    for (const [hour, city] of [
      [9, 'Bergen'],
      [15, 'Oslo'],
    ] as const) {
      const line = { kind: 'ended', actKind: 'call', principal: 'editor', server: 'shop', target: 'echo' } as const
      const payload = { level: 'full', arguments: { text: `a letter to ${city}` }, result: { content: [] } } as const
      await ledger.append({ ...line, act: `at ${hour}`, outcome: 'ok', ms: 40 }, payload)
      const set = store.database.prepare('UPDATE ledger_line SET at = ? WHERE act = ?')
      set.run(yesterday + hour * 3_600_000 + 40, `at ${hour}`)
    }
  }

  const button = (name: string | RegExp) => open.page.getByRole('button', { name, exact: true })
  const inMain = (name: string) => open.page.getByRole('main').getByRole('link', { name, exact: true })
  const configured = () => readFileSync(open.ann.places.userFile, 'utf8')

  /** Time of the last call of a tool, as the page shows it. */
  function timeOfLast(tool: string): string {
    const last = [...open.running.host.ledger.lines()].findLast(({ text }) => JSON.parse(text).target === tool)
    assert.ok(last, `${tool} was called`)
    return clockTime(last.at)
  }

  /** Accepts the server whose screen is open, with the code from the terminal. */
  async function acceptHere(hand: Hand): Promise<void> {
    const { page } = open
    await page.getByRole('heading', { name: 'Not accepted yet' }).waitFor()
    await hand.press(button('Accept this command…'))
    const code = page.getByLabel('The code that the terminal shows')
    // the field takes the place of the button
    await code.and(page.locator(':focus')).waitFor()
    await hand.write(code, codes.at(-1) ?? '')
    await hand.press(button('Accept and start'))
    await page.getByText('upstream 1.0.0').waitFor()
  }

  async function findTool(hand: Hand, name: string): Promise<void> {
    await hand.goTo('Tools')
    await hand.write(open.page.getByLabel('Search tools'), name)
    await hand.press(open.page.getByRole('link', { name: new RegExp(`^${name} (?:shop|kinds|asks)`) }))
    await open.page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
  }

  for (const { name, make, client, file } of hands) {
    describe(name === 'mouse' ? 'with the mouse' : 'by keyboard alone', () => {
      let hand: Hand
      before(() => {
        hand = make(open.page)
      })
      beforeEach(() => hand.begin())
      afterEach(async () => {
        assert.ok(hand.steps <= maxSteps, `it took ${hand.steps} steps`)
        // the screens are the same for both
        if (name === 'mouse') assert.deepEqual(await violations(open.page), [])
        assert.deepEqual(open.faults, [], 'errors of the page, and what it loaded from elsewhere')
      })

      it('they see that a server is not well, and why, and start it', async () => {
        const { page } = open
        await editor.tools.call('broken__crash', {}).catch(() => {})
        await page.getByRole('link', { name: /^Servers.*servers? needs? attention/ }).waitFor()
        await hand.goTo('Servers')
        await page.getByText(/^\d servers: .*attention/).waitFor()
        await page.getByRole('row', { name: /^broken.* failed / }).waitFor()
        await hand.press(inMain('broken'))
        await page.getByRole('log').getByText('about to crash').first().waitFor()
        await page.getByText('trunkline doctor broken').waitFor()
        await hand.press(button('Start'))
        await page.getByRole('heading', { level: 1 }).locator('..').getByText('ready', { exact: true }).waitFor()
      })

      it('they give a server the secret that it lacks, and accept its command', async () => {
        const { page } = open
        await hand.goTo('Servers')
        await hand.press(inMain(`locked-${name}`))
        await page.getByRole('heading', { name: 'Something is missing' }).waitFor()
        await hand.write(page.getByLabel(`Value of ${name}`), 'sesame')
        await hand.press(button('Store'))
        await acceptHere(hand)
        assert.doesNotMatch(configured(), /sesame/)
      })

      it('they find a tool, try it wrong, and then right', async () => {
        const { page } = open
        await findTool(hand, 'wait')
        assert.equal(await page.getByLabel('Search tools').inputValue(), 'wait')
        // what was typed before is still there
        await hand.write(page.getByLabel('ms'), '')
        await hand.press(button('Run'))
        await page.locator('[aria-invalid="true"]:focus').waitFor()
        await hand.write(page.getByLabel('ms'), 'two')
        await hand.press(button('Run'))
        await page.locator('[aria-invalid="true"]:focus').waitFor()
        await hand.write(page.getByLabel('ms'), '2')
        await hand.press(button('Run'))
        // it may do anything, so it asks: here, and not somewhere else
        await page.getByText('This call asks first').waitFor()
        await hand.press(button('Allow once'))
        await page.getByLabel('text', { exact: true }).getByText('done').waitFor()
      })

      it('they follow the progress of a long task, and cancel it', async () => {
        const { page } = open
        await findTool(hand, 'get_slowly')
        await hand.write(page.getByLabel('steps'), '100000')
        await hand.press(button('Run as task'))
        const task = page.getByRole('list', { name: 'Tasks of this tool' }).getByRole('listitem').first()
        await task.getByText(/step, \d+ of 100,?000/).waitFor()
        await hand.press(task.getByRole('button', { name: 'Cancel' }))
        await task.getByText('cancelled').waitFor()
        // the page forgets it, for who comes after
        await hand.press(task.getByRole('button', { name: 'Forget' }))
        await task.waitFor({ state: 'detached' })
      })

      it('they answer a call that asks while they are elsewhere', async () => {
        const { page } = open
        await hand.goTo('Policy')
        const call = editor.tools.call('shop__write', { text: `with the ${name}` })
        await page.getByRole('status').getByText('editor wants to call write').waitFor()
        await page.getByRole('link', { name: /^Inbox.*\d questions? waits?/ }).waitFor()
        await hand.press(page.getByRole('link', { name: 'Answer', exact: true }))
        await page.getByText(`with the ${name}`).first().waitFor()
        await hand.press(button('Allow once'))
        assert.equal(textOf(await call), `with the ${name}`)
        await page.getByRole('heading', { name: 'editor wants to call write' }).waitFor()
        await page
          .getByText(/allowed once by console/i)
          .first()
          .waitFor()
      })

      it('they fill in the form of a server that asks, at the call', async () => {
        const { page } = open
        await findTool(hand, 'form')
        await hand.press(button('Run'))
        await page.locator(':focus').getByRole('heading', { name: 'asks asks you something' }).waitFor()
        await hand.press(button('Send to asks'))
        await page.locator('[aria-invalid="true"]:focus').waitFor()
        await hand.write(page.getByLabel(/^Name/), 'Ann')
        await hand.write(page.getByLabel(/^E-mail/), `ann@${name}.example`)
        await hand.press(button('Send to asks'))
        await page.getByText(`ann@${name}.example`).first().waitFor()
      })

      it('they find what happened yesterday at three', async () => {
        const { page } = open
        const calls = page.getByRole('list', { name: 'Calls' })
        await hand.goTo('Activity')
        await hand.choose(page.getByLabel('When'), 'Yesterday')
        await calls.getByRole('heading', { name: /^Yesterday, / }).waitFor()
        await hand.write(page.getByLabel('Search calls'), 'oslo')
        await page.getByText('1 call shown').waitFor()
        await hand.press(calls.getByRole('button', { name: /^15:00:00.*echo/ }))
        await page.getByRole('group', { name: 'Asked for by the client' }).getByText('a letter to Oslo').waitFor()
        await hand.choose(page.getByLabel('When'), 'Live')
        await hand.write(page.getByLabel('Search calls'), '')
      })

      it('they try a rule on what was recorded, make it, see why it denies a call, and undo it', async () => {
        const { page, ann } = open
        await hand.goTo('Policy')
        await hand.choose(page.getByLabel('Effect'), 'deny')
        await hand.write(page.getByLabel('Rule', { exact: true }), 'shop:wri*')
        await page.getByText(/would have ended otherwise/).waitFor()
        await page.getByText(/^\d calls? of editor$/).waitFor()
        await hand.press(button('Add this rule'))
        await page.getByRole('cell', { name: 'shop:wri*' }).waitFor()
        await editor.tools.call('shop__write', { text: 'never' })
        await hand.goTo('Activity')
        // the one of this call: others were denied before, and stand first until it is there
        await hand.press(
          page.getByRole('button', { name: new RegExp(`^${timeOfLast('write')}.*write.*denied`) }).first(),
        )
        await page.getByText('Nothing: it was refused before it got there.').waitFor()
        await hand.press(page.getByRole('link', { name: 'Why was this refused?' }))
        await page.getByText('deny "shop:wri*"').first().waitFor()
        await page.getByText(`Remove or narrow the rule at ${shortPaths(ann.places.userFile, ann.home)}`).waitFor()
        assert.deepEqual(JSON.parse(await page.getByLabel('Arguments', { exact: true }).inputValue()), {
          text: 'never',
        })
        await hand.press(button('Undo the last rule that was made here'))
        await page.getByRole('cell', { name: 'shop:wri*' }).waitFor({ state: 'detached' })
        assert.doesNotMatch(configured(), /wri/)
      })

      it('they connect a client, and see first what is written', async () => {
        const { page, ann } = open
        await hand.goTo('Connect')
        await hand.press(page.getByRole('link', { name: client }))
        await page.getByLabel(`Change to the file of ${client}`).getByText('"--client"').waitFor()
        assert.equal(existsSync(join(ann.home, file)), false)
        await hand.press(button('Write this change'))
        await page.getByText(`Written. Restart ${client}`).waitFor()
        assert.match(readFileSync(join(ann.home, file), 'utf8'), /\/usr\/local\/bin\/trunkline/)
      })

      it('they chat, and approve what the model wants to call', async () => {
        const { page } = open
        const call = { id: 'a', name: 'shop__write', arguments: { text: `precious, ${name}` } }
        provider.say({ calls: [call] }, { text: [`Written with the ${name}`] })
        await hand.goTo('Chat')
        await hand.write(page.getByLabel('What you want'), 'Write it down')
        await hand.press(button('Send'))
        const card = page.getByRole('article', { name: 'Call of write' })
        await card.getByText('asks you').waitFor()
        await hand.press(card.getByRole('button', { name: 'Allow once' }))
        await card.getByText('done', { exact: true }).waitFor()
        await page.getByText(`Written with the ${name}`, { exact: true }).first().waitFor()
      })

      it('they add a server and accept it', async () => {
        const { page } = open
        await hand.goTo('Servers')
        await hand.press(page.getByRole('link', { name: 'Add a server' }))
        await hand.write(page.getByLabel('Name'), `extra-${name}`)
        await hand.write(page.getByLabel('Command or address'), `"${process.execPath}" "${upstream}"`)
        await hand.press(button('Add'))
        await page.getByRole('heading', { level: 1, name: `extra-${name}` }).waitFor()
        assert.match(configured(), new RegExp(`extra-${name}`))
        await acceptHere(hand)
      })

      it('they remove a server', async () => {
        const { page } = open
        await hand.goTo('Servers')
        await hand.press(inMain(`extra-${name}`))
        await hand.press(button('Remove…'))
        await hand.press(button(`Remove extra-${name}`))
        await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
        await page.getByRole('row', { name: new RegExp(`^extra-${name}`) }).waitFor({ state: 'detached' })
        assert.doesNotMatch(configured(), new RegExp(`extra-${name}`))
      })
    })
  }
})
