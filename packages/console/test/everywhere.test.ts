/** Rules for every screen: accessible in both themes, narrow, by keyboard; and the palette. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import type { Locator } from 'playwright-core'
import { deferred } from '../../host/src/relay/deferred.ts'
import { callerOf, programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole, visit } from './open-page.ts'
import { kindsEntry } from './programs/entry.ts'
import { sharedBrowser } from './shared-browser.ts'
import { typeOver } from './type-over.ts'

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
const screens = [
  'inbox',
  'servers',
  'tools',
  'resources',
  'prompts',
  'skills',
  'chat',
  'activity',
  'policy',
  'connect',
  'settings',
]

describe('a console in which nothing is yet', { skip: noBrowser }, () => {
  it('says on every screen what to do next, without a barrier in either theme', async () => {
    await using open = await openConsole({ browser: await sharedBrowser() })
    const { page, faults } = open
    await page.getByRole('heading', { level: 1 }).waitFor()
    const words: { readonly [screen: string]: string } = {
      inbox: 'Nothing waits for you',
      servers: 'No server of yours is configured yet',
      tools: 'No tool is known yet',
      resources: 'Choose a resource to read it',
      prompts: 'No server offers a prompt',
      skills: 'No server offers a skill',
      chat: 'A model is missing',
      activity: 'Nothing happened that fits',
      policy: 'What reads is allowed',
      connect: 'Choose a client',
      settings: 'Choose what to set',
    }
    for (const screen of [...screens, 'nowhere']) {
      await visit(page, `/${screen}`)
      await page
        .getByText(words[screen] ?? 'There is no screen at this address')
        .first()
        .waitFor()
      assert.deepEqual(await violationsInBothThemes(page), [], screen)
    }
    assert.deepEqual(faults, [])
  })
})

describe('a console with work in it', { skip: noBrowser }, () => {
  let open: OpenConsole
  let editor: Client
  const go = async (path: string) => {
    await visit(open.page, path)
    await open.page.getByRole('heading', { level: 1 }).waitFor()
  }
  before(async () => {
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: {
        mcpServers: {
          one: programEntry(),
          kinds: kindsEntry(),
          everything: { command: process.execPath, args: [everything] },
          failing: programEntry(),
          effects: programEntry('declared-effects'),
          late: programEntry('upstream', { sandbox: { writable: [], network: false } }),
        },
        policy: { allow: ['everything:*', 'failing:crash', 'one:echo'], deny: ['one:crash'] },
      },
      accepted: ['one', 'kinds', 'everything', 'failing', 'effects'],
      path: '/inbox',
      run: { launcher: ['/usr/local/bin/trunkline'] },
    })
    editor = await callerOf(open.running)
    await editor.tools.call('one__crash', {})
    await editor.tools.call('failing__crash', {}).catch(() => {})
    await editor.tools.call('one__echo', { text: 'hello' })
    void editor.tools.call('one__write', { text: 'waits' }).catch(() => {})
    await open.page.getByRole('link', { name: /^write/ }).waitFor()
  })
  beforeEach(() => open.page.setViewportSize({ width: 1280, height: 860 }))
  after(async () => {
    await editor.close()
    await open[Symbol.asyncDispose]()
  })

  /** Every list, what opens one of it, and what is seen then: beside the list, unless it is left for that. */
  const lists: readonly { readonly path: string; readonly isLeft?: true; item(): Locator; opened(): Locator }[] = [
    {
      path: '/inbox',
      item: () => open.page.getByRole('link', { name: /^write/ }),
      opened: () => open.page.getByRole('heading', { name: 'editor wants to call write' }),
    },
    {
      path: '/servers',
      isLeft: true,
      item: () => open.page.getByRole('main').getByRole('link', { name: 'failing' }),
      opened: () => open.page.getByRole('log').getByText('about to crash'),
    },
    {
      path: '/tools',
      item: () => open.page.getByRole('link', { name: /^get_kinds/ }),
      opened: () => open.page.getByRole('button', { name: 'Run', exact: true }),
    },
    {
      path: '/resources',
      item: () => open.page.getByRole('link', { name: /^city:/ }),
      opened: () => open.page.getByLabel('country'),
    },
    {
      path: '/prompts',
      item: () => open.page.getByRole('link', { name: /^args-prompt/ }),
      opened: () => open.page.getByRole('button', { name: 'Fill in' }),
    },
    {
      path: '/activity',
      item: () => open.page.getByRole('button', { name: /crash.*denied/ }),
      opened: () => open.page.getByRole('link', { name: 'Why was this refused?' }),
    },
    {
      path: '/connect',
      item: () => open.page.getByRole('link', { name: 'Cursor' }),
      opened: () => open.page.getByRole('button', { name: 'Write this change' }),
    },
  ]

  it('has none with a list, and with one of it open, in both themes; each opens by keyboard alone', async () => {
    const { page, faults } = open
    for (const { path, isLeft, item, opened } of lists) {
      await go(path)
      await item().first().waitFor()
      if (isLeft) assert.deepEqual(await violationsInBothThemes(page), [], path)
      await item().first().focus()
      assert.equal(await focusIsSeen(), true, `${path}: the focus is not seen`)
      await page.keyboard.press('Enter')
      await opened().first().waitFor()
      assert.equal(await item().first().isVisible(), !isLeft, path)
      assert.deepEqual(await violationsInBothThemes(page), [], `${path} open`)
    }
    assert.deepEqual(faults, [])
  })

  it('arrows walk through a list and from its search into it; Enter opens; the way goes on there', async () => {
    const { page } = open
    await go('/tools')
    await page.getByLabel('Search tools').fill('get-')
    await page.getByRole('link', { name: /^get-sum/ }).waitFor()
    const names = async () => (await page.evaluate(() => document.activeElement?.textContent)) ?? ''
    await page.getByLabel('Search tools').press('ArrowDown')
    const first = await names()
    await page.keyboard.press('ArrowDown')
    assert.notEqual(await names(), first)
    await page.keyboard.press('ArrowUp')
    assert.equal(await names(), first)
    await page.keyboard.press('ArrowUp')
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Search tools')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    const last = await names()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: last.split(' ')[0] ?? last }).waitFor()
    assert.equal(await names(), last)
    // the list is one stop, and so the next is what was opened
    await page.keyboard.press('Shift+Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Search tools')
    await page.keyboard.press('Tab')
    assert.equal(await names(), last)
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(() => document.activeElement?.closest('ul[aria-label="tools"]') === null)
    assert.equal(stop, true, 'Tab leaves the list')
  })

  it('what is beside a list is its own screen on a narrow one, with a way back to where one was', async () => {
    const { page } = open
    await page.setViewportSize({ width: 360, height: 740 })
    await go('/tools')
    await page.getByLabel('Search tools').fill('get-sum')
    await page.getByRole('link', { name: /^get-sum/ }).press('Enter')
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await page.getByLabel('Search tools').waitFor({ state: 'hidden' })
    const back = page.getByRole('link', { name: '← All tools' })
    assert.equal(await back.evaluate((link) => link === document.activeElement), true)
    await page.keyboard.press('Enter')
    await page.getByLabel('Search tools').waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('get-sum'))
  })

  it('a narrow screen has five places, and the other screens behind "More"', async () => {
    const { page } = open
    await page.setViewportSize({ width: 390, height: 844 })
    await go('/servers')
    const places = page.getByRole('navigation', { name: 'Screens' })
    const names = await places.getByRole('link').allInnerTexts()
    assert.deepEqual(
      names.map((name) => name.split('\n')[0]),
      ['Inbox', 'Servers', 'Tools', 'Chat', 'Activity'],
    )
    const more = places.getByRole('button', { name: 'More' })
    await more.click()
    await page.keyboard.press('Escape')
    assert.equal(await more.getAttribute('aria-expanded'), 'false')
    await more.press('Enter')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await places.getByRole('link', { name: 'Policy' }).click()
    await page.getByRole('heading', { level: 1, name: 'Policy' }).waitFor()
    assert.equal(await more.getAttribute('aria-expanded'), 'false')
  })

  it('nothing is cut and nothing scrolls sideways at 360 pixels', async () => {
    const { page } = open
    await page.setViewportSize({ width: 360, height: 740 })
    for (const { path, item, opened } of lists) {
      await go(path)
      await item().first().waitFor()
      assert.deepEqual(await cut(), [], path)
      await item().first().click()
      await opened().first().waitFor()
      assert.deepEqual(await cut(), [], `${path} open`)
    }
    for (const path of [
      '/servers/add',
      '/servers/late',
      '/policy',
      '/chat',
      '/tools/everything/get-annotated-message',
    ]) {
      await go(path)
      assert.deepEqual(await cut(), [], path)
    }
    await go('/activity')
    await page.getByRole('button', { name: 'Waterfall' }).click()
    await page.getByRole('region', { name: 'Waterfall' }).getByRole('heading', { name: 'one', exact: true }).waitFor()
    assert.deepEqual(await cut(), [], 'the waterfall')
    await page.keyboard.press('Control+k')
    await field().fill('restart')
    await page.getByRole('option').first().waitFor()
    assert.deepEqual(await cut(), [], 'the palette')
    await page.keyboard.press('Escape')
  })

  it('what a server may is shown before it is accepted; what its tools say they touch is proposed as its sandbox', async () => {
    const { page } = open
    for (const path of [
      '/servers/late',
      `/inbox/${open.running.host.inbox.open.find(({ kind }) => kind === 'start')?.id}`,
    ]) {
      await go(path)
      await page.getByText('it can write nothing, and has no network').first().waitFor()
      await page.getByText('write only what its sandbox names').waitFor()
    }
    await go('/servers/effects')
    await page.getByText('none: it runs with your rights').waitFor()
    await page.getByText(/tools? say.* that they write .*"sandbox": \{"writable"/).waitFor()
  })

  it('nothing moves by itself, so there is no need for less motion', async () => {
    const { page, running } = open
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    for (const screen of screens) {
      // each by its address, as from a bookmark
      await page.goto(new URL(`/${screen}`, running.host.url).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const moving = await page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((element) => {
            const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element)
            return transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior === 'smooth'
          }).length,
      )
      assert.equal(moving, 0, screen)
    }
  })

  it('screen readers hear of questions, results, what was found, and a host that is gone', async () => {
    const { page } = open
    const heard = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })
    await go('/tools/everything/get-sum')
    await heard(/questions? waits? for you/)
    await typeOver(page.getByLabel('Arguments as JSON'), '{ "a": 1, "b": 1 }')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await heard(/The result is here/)
    await page.getByLabel('Search tools').fill('get-sum')
    await heard(/1 tool found/)
  })

  const field = () => open.page.getByRole('dialog').getByRole('combobox')
  const palette = async (text: string, option: RegExp) => {
    const { page } = open
    await page.keyboard.press('Control+k')
    await field().fill(text)
    await page.getByRole('option', { name: option }).first().waitFor()
    // the first is chosen while one types
    while (!option.test((await page.getByRole('option', { selected: true }).innerText()).replaceAll('\n', ' '))) {
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await field().waitFor({ state: 'detached' })
  }

  it('Ctrl-K finds anything: tools, prompts, resources, acts, rules, questions, clients; and Escape goes back', async () => {
    const { page } = open
    await go('/servers')
    const places = [
      ['run get-sum', /^get-sum tool/, /\/tools\/everything\/get-sum$/],
      ['args-prompt', /^args-prompt prompt/, /\/prompts\/everything\/args-prompt$/],
      ['architecture', /^architecture\.md resource/, /\/resources\/everything\/demo/],
      ['city', /^city:.* template/, /\/resources\/kinds\/city/],
      ['crash denied', /^one crash act, denied/, /\/activity\/.+/],
      ['deny one:crash', /^deny one:crash rule/, /\/policy$/],
      ['cursor', /^Connect Cursor client/, /\/connect\/cursor$/],
      ['wants to call', /^editor wants to call write question/, /\/inbox\/.+/],
      ['failing server', /^failing server, failed/, /\/servers\/failing$/],
    ] as const
    for (const [text, option, address] of places) {
      await palette(text, option)
      await page.waitForURL(address)
      // the focus is where one landed: at the heading of the screen, or in what is open beside the list
      await page.waitForFunction(() => {
        const { activeElement: now } = document
        return (
          now !== null && (now.tagName === 'H1' || now.querySelector('h2') !== null) && now.closest('main') !== null
        )
      })
    }
    await page.reload()
    await page.getByRole('heading', { name: 'failing', exact: true }).waitFor()
    const late = deferred<void>()
    await page.route('**/palette-*.js', async (route) => {
      await late.promise
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('get-su')
    late.resolve()
    await page.getByRole('option', { name: /^get-sum tool/ }).waitFor()
    assert.equal(await field().inputValue(), 'get-su')
    await page.keyboard.press('Escape')
    await field().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Start', exact: true }).focus()
    await page.keyboard.press('Control+k')
    await field().waitFor()
    await page.keyboard.press('Escape')
    await field().waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.textContent === 'Start')
  })

  it('Ctrl-K takes the whole text that was typed before Enter, also where the list is still that of an earlier one', async () => {
    const { page } = open
    await go('/servers')
    await page.keyboard.press('Control+k')
    await field().fill('con')
    await page.getByRole('option', { selected: true, name: /^Connect \w+ client/ }).waitFor()
    await field().evaluate(async (input: HTMLInputElement) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'connect')
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      // the field has its text by now, and the list of it is drawn in a later task
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    })
    await page.waitForURL(/\/connect$/)
  })

  it('Ctrl-K does anything: stops and starts, refuses, pauses, changes colours; and tells how it ended', async () => {
    const { page, running } = open
    const told = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()
    await palette('stop kinds', /^Stop kinds/)
    await told(/Stop kinds: done/)
    assert.equal(running.host.servers.get('kinds')?.status.state, 'stopped')
    await palette('start kinds', /^Start kinds/)
    await told(/Start kinds: done/)
    assert.equal(running.host.servers.get('kinds')?.status.state, 'ready')
    await palette('undo rule', /^Undo the last rule/)
    await told(/Dismiss/)
    await palette('dark', /^Dark colours/)
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
    await palette('colours system', /^Colours as the system/)
    await palette('pause', /^Pause activity/)
    await palette('activity', /^Activity What/)
    await page.getByRole('button', { name: /^Go on/ }).click()
    await palette('refuse write', /^Refuse: write/)
    await told(/Refuse: write: done/)
    assert.ok(!running.host.inbox.open.some(({ target }) => target === 'write'))
  })

  /** True if the focus is visible. */
  function focusIsSeen(): Promise<boolean> {
    return open.page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
    })
  }

  /** Elements beyond the edges of the screen that cannot be scrolled to within a part of its own. */
  function cut(): Promise<readonly string[]> {
    return open.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      const isInScroller = (element: Element | null): boolean =>
        element !== null &&
        (['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX) ||
          isInScroller(element.parentElement))
      const beyond = [...document.querySelectorAll('body *')].filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (right > clientWidth + 1 || left < -1) && !isInScroller(element.parentElement)
      })
      const wide = scrollWidth > clientWidth + 1 ? [`${scrollWidth} pixels wide`] : []
      return [...wide, ...beyond.map(({ outerHTML }) => outerHTML.slice(0, 120))]
    })
  }
})
