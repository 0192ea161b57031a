import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { showOnDesktop } from '../../src/inbox/notify/desktop.ts'
import { noticeOf } from '../../src/inbox/notify/notice.ts'
import { Notifier, type NotifierTimes } from '../../src/inbox/notify/notifier.ts'
import { Webhooks } from '../../src/inbox/notify/webhook.ts'
import type { Question } from '../../src/inbox/question.ts'
import { person, programEntry } from '../run/person.ts'
import { hook } from './hook.ts'
import { type Screen, screen } from './screen.ts'

const console = () => new URL('http://127.0.0.1:4173/')
const secret = 'hunter2-sk_live_0123456789abcdef'
let asked = 0

/** A question about a call whose every part that must stay here holds the secret. */
function question(more: Partial<Question> = {}): Question {
  return {
    id: `q${asked++}`,
    kind: 'call',
    key: 'key',
    server: 'git',
    target: 'push',
    principal: 'editor',
    principalId: 'p1',
    project: `/home/ann/${secret}`,
    why: `because of ${secret}`,
    detail: { arguments: { password: secret } },
    by: undefined,
    askedAt: 1,
    expiresAt: 2,
    ...more,
  }
}

interface Setting extends NotifierTimes {
  readonly url?: string
  readonly on?: Screen
}

/** A notifier without pauses, and its errors. */
function notifier({ url, on, ...times }: Setting) {
  const errors: string[] = []
  const made = new Notifier({
    gatherMs: 20,
    pauseMs: 0,
    ...times,
    machine: on?.machine ?? { platform: 'linux', home: '/', environment: {} },
    settingsOf: () => ({ desktop: true, webhook: url }),
    console,
    onError: (error) => errors.push((error as Error).message),
  })
  return { made, errors, [Symbol.asyncDispose]: () => made.close() }
}

describe('a notice on the screen', () => {
  it('names the caller and the tool and links to the question, and shows nothing of its arguments', async () => {
    using linux = screen()
    await using one = notifier({ on: linux })
    const { made } = one
    made.present(question({ id: 'abc', principal: 'Ann & <b>co</b>' }))
    await until(() => linux.starts.length === 1)
    assert.deepEqual(linux.starts[0], [
      '--app-name=Trunkline',
      '--',
      'Trunkline',
      '"Ann &#38; &#60;b&#62;co&#60;/b&#62;" wants to use "git:push"\nhttp://127.0.0.1:4173/inbox/abc',
    ])
  })

  it('is one for all questions of a moment, without those that were answered meanwhile', async () => {
    using linux = screen()
    await using one = notifier({ on: linux, gatherMs: 100 })
    const several = [question(), question(), question()]
    for (const each of several) one.made.present(each)
    one.made.withdraw(several[1]?.id ?? '')
    await until(() => linux.starts.length === 1)
    assert.equal(linux.starts[0]?.at(-1), '2 questions wait for you\nhttp://127.0.0.1:4173/inbox')
    const last = question()
    one.made.present(last)
    one.made.withdraw(last.id)
    one.made.present(question({ id: 'later' }))
    await until(() => linux.starts.length === 2)
    assert.match(linux.starts[1]?.at(-1) ?? '', /inbox\/later$/)
  })

  it('shows no address, no control characters and no endless names', async () => {
    using linux = screen()
    await using one = notifier({ on: linux })
    one.made.present(question({ target: `file:///home/ann/${secret}`, principal: `a\u202e\n${'x'.repeat(10_000)}` }))
    await until(() => linux.starts.length === 1)
    const shown = linux.starts[0]?.at(-1) ?? ''
    assert.ok(!shown.includes(secret) && !shown.includes('\u202e') && shown.length < 300, shown)
    assert.equal(shown.split('\n').length, 2)
  })

  it('that cannot be shown is reported once, with the remedy', async () => {
    using broken = screen({ ending: 'exit 3' })
    await using one = notifier({ on: broken })
    one.made.present(question())
    await until(() => broken.starts.length === 1)
    one.made.present(question())
    await until(() => broken.starts.length === 2)
    await one.made.close()
    assert.deepEqual(one.errors, [
      'Cannot show notices: "notify-send" failed with 3; set "notify.desktop" to false to do without it',
    ])
  })

  it('names a program that is not installed, and ends one that hangs', async () => {
    using hung = screen({ ending: 'exec sleep 60' })
    const { machine } = hung
    const notice = { text: 'text', link: 'link' }
    await assert.rejects(showOnDesktop(notice, machine, { timeoutMs: 200 }), /"notify-send" took longer than 200 ms/)
    const bare = { ...machine, environment: { PATH: '/nowhere', DISPLAY: ':0' } }
    await assert.rejects(showOnDesktop(notice, bare), /"notify-send" is not installed; install it, or set/)
  })

  it('is not tried where there is no screen', async () => {
    using linux = screen()
    const { DISPLAY: _, ...environment } = linux.machine.environment
    await using hooked = await hook()
    await using one = notifier({ on: { ...linux, machine: { ...linux.machine, environment } }, url: hooked.url })
    one.made.present(question())
    await until(() => hooked.bodies.length === 1)
    await one.made.close()
    assert.deepEqual([linux.starts, one.errors], [[], []])
  })

  it('goes through osascript and PowerShell as data, never as a script', async () => {
    const notice = { text: '"; do shell script "x', link: 'http://127.0.0.1:4173/inbox/abc' }
    using mac = screen({ platform: 'darwin', program: 'osascript' })
    await showOnDesktop(notice, mac.machine)
    assert.equal(mac.starts[0]?.at(-1), `${notice.text}\n${notice.link}`)
    assert.ok(mac.starts[0]?.slice(0, -1).every((text) => !text.includes('do shell')))
    using windows = screen({
      platform: 'win32',
      program: 'powershell.exe',
      noted: '"$TRUNKLINE_NOTICE" "$TRUNKLINE_LINK" "$@"',
    })
    await showOnDesktop(notice, windows.machine)
    const [text, link, ...script] = windows.starts[0] ?? []
    assert.deepEqual([text, link], [notice.text, notice.link])
    assert.ok(script.every((part) => !part.includes('do shell')))
  })
})

describe('a webhook', () => {
  it('gets exactly the documented body', async () => {
    await using hooked = await hook()
    await using one = notifier({ url: hooked.url })
    one.made.present(question({ id: 'abc' }))
    await until(() => hooked.bodies.length === 1)
    const text = '"editor" wants to use "git:push"'
    const link = 'http://127.0.0.1:4173/inbox/abc'
    const told = { id: 'abc', kind: 'call', server: 'git', tool: 'push', caller: 'editor', askedAt: 1, expiresAt: 2 }
    assert.deepEqual(hooked.bodies, [{ event: 'questions', text, link, questions: [{ ...told, text, link }] }])
  })

  it('that is slow is given up on and tried again, with the questions that are still open', async () => {
    // the first request is never answered
    await using hooked = await hook((response, before) => before > 0 && response.end())
    await using one = notifier({ url: hooked.url, webhook: { timeoutMs: 2_000, retryMs: [10] } })
    const settled = question()
    one.made.present(settled)
    one.made.present(question({ id: 'open' }))
    await until(() => hooked.bodies.length === 1)
    one.made.withdraw(settled.id)
    await until(() => hooked.bodies.length === 2)
    const ids = hooked.bodies.map(({ questions }) => questions.map(({ id }) => id))
    assert.deepEqual(ids, [[settled.id, 'open'], ['open']])
    assert.deepEqual(one.errors, [])
  })

  it('that fails is tried as often as it says, and named without its secret path', async () => {
    await using hooked = await hook((response) => response.writeHead(503).end('a'.repeat(100_000)))
    await using one = notifier({ url: hooked.url, webhook: { retryMs: [5, 5] } })
    one.made.present(question())
    await until(() => one.errors.length === 1)
    assert.equal(hooked.bodies.length, 3)
    const { host } = new URL(hooked.url)
    assert.deepEqual(one.errors, [`Cannot tell "notify.webhook" at ${host} of questions: it answered 503`])
  })

  it('that refuses is not tried again, and one that redirects is not followed', async () => {
    await using elsewhere = await hook()
    await using hooked = await hook((response) => response.writeHead(307, { location: elsewhere.url }).end())
    await using one = notifier({ url: hooked.url, webhook: { retryMs: [5, 5] } })
    one.made.present(question())
    await until(() => one.errors.length === 1)
    assert.match(one.errors[0] ?? '', /it answered 307, and redirects are not followed; write the final address$/)
    assert.deepEqual([hooked.bodies.length, elsewhere.bodies.length], [1, 0])
    await using refusing = await hook((response) => response.writeHead(403).end())
    await using two = notifier({ url: refusing.url, webhook: { retryMs: [5, 5] } })
    two.made.present(question())
    await until(() => two.errors.length === 1)
    assert.equal(refusing.bodies.length, 1)
  })

  it('without a listener is named by its cause', async () => {
    const gone = await hook()
    await gone[Symbol.asyncDispose]()
    await using one = notifier({ url: gone.url, webhook: { retryMs: [] } })
    one.made.present(question())
    await until(() => one.errors.length === 1)
    assert.match(one.errors[0] ?? '', /the connection failed with ECONNREFUSED$/)
  })

  it('has no more waiting for it than the limit; the oldest are dropped', async () => {
    let letGo = () => {}
    const first = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await using hooked = await hook((response) => void first.then(() => response.end()))
    const hooks = new Webhooks({ console, maxNotices: 3, onError: () => {} })
    hooks.send(hooked.url, [noticeOf(question({ id: 'first' }), console())])
    await until(() => hooked.bodies.length === 1)
    const more = Array.from({ length: 10 }, (_, at) => noticeOf(question({ id: `n${at}` }), console()))
    hooks.send(hooked.url, more)
    letGo()
    await until(() => hooked.bodies.length === 2)
    await hooks.close()
    assert.deepEqual(
      hooked.bodies[1]?.questions.map(({ id }) => id),
      ['n7', 'n8', 'n9'],
    )
  })
})

describe('notices of a host', () => {
  it('follow "notify" of the configuration, and a webhook may be a secret', async () => {
    using ann = person()
    using linux = screen()
    await using hooked = await hook()
    const machine = { ...ann.machine, environment: { ...linux.machine.environment, HOME: ann.home } }
    const notify = { desktop: true, webhook: 'secret:hook' }
    ann.configure({ mcpServers: { one: programEntry() }, notify })
    await using running = await ann.run({ machine, notify: { gatherMs: 20, pauseMs: 0 } })
    // the secret is not there yet: that is reported, and the notice is on the screen all the same
    await until(() => linux.starts.length === 1)
    const link = new URL(`/inbox/${running.host.inbox.open[0]?.id}`, running.host.url).href
    assert.equal(linux.starts[0]?.at(-1), `Server "one" waits for you to accept its command\n${link}`)
    const [problem] = running.state.problems
    assert.equal(problem?.key, 'notify.webhook')
    assert.match(problem?.problem ?? '', /there is no secret "hook"/)
    await running.secrets.set('hook', hooked.url)
    await until(() => running.state.problems.length === 0)
    ann.configure({ mcpServers: { one: programEntry(), two: programEntry() }, notify: { ...notify, desktop: false } })
    await until(() => hooked.bodies.length === 1)
    assert.deepEqual(
      hooked.bodies[0]?.questions.map(({ server, kind }) => [server, kind]),
      [['two', 'start']],
    )
    assert.equal(linux.starts.length, 1)
  })

  it('are not given where nothing waits for a person', async () => {
    using ann = person()
    using linux = screen()
    const machine = { ...ann.machine, environment: { ...linux.machine.environment, HOME: ann.home } }
    ann.configure({ mcpServers: { one: programEntry() } })
    {
      await using running = await ann.run({ machine, unattended: true, notify: { gatherMs: 0 } })
      assert.equal(running.host.servers.get('one')?.status.state, 'needs you')
    }
    assert.deepEqual(linux.starts, [])
  })
})
