import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type Client, connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { allSettings } from '../../src/config/schema/settings.ts'
import { secretFile } from '../../src/config/secrets/secret-file.ts'
import { projectHeader } from '../../src/gateway/bridge/line-protocol.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { hook } from '../notify/hook.ts'
import { screen } from '../notify/screen.ts'
import { answer, type Person, person } from '../run/person.ts'
import { project, questionIn } from '../run/working-in.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { hostGroups } from './host-groups.ts'
import { serverGroups } from './server-groups.ts'
import { expected, type Group, isInForce, type Place, settingOf, settingsOf } from './setting-rows.ts'

/** Settings whose effect is shown elsewhere, or that have none. */
const elsewhere: { readonly [setting: string]: string } = {
  $schema: 'is for editors alone',
  'host.port': 'whole-host.test.ts: a host listens at one port',
  'projects.*.roots': 'run/projects.test.ts: gets the roots that the person set for the project before all others',
  'host.idleMinutes': 'whole-host.test.ts: a host ends once',
}

const things = new AsyncDisposableStack()
const folder = things.use(temporaryFolder())
const [usual, other] = [things.use(await hook()), things.use(await hook())]
const shown = things.use(screen())
after(() => things.disposeAsync())

const groups = [...serverGroups(folder.path), ...hostGroups(folder.path, { usual, other, screen: shown })]

it('every setting of the schema has a row, or a reason why it has none', () => {
  const rows = new Set(groups.flatMap(({ rows }) => rows.map(settingOf)))
  const missing = allSettings()
    .map((path) => path.join('.'))
    .filter((setting) => !rows.has(setting) && elsewhere[setting] === undefined)
  assert.deepEqual(missing, [])
})

for (const group of groups) {
  describe(group.name, () => {
    it("in the person's file", async () => {
      await using at = await world(group, settingsOf(group.rows, group.base))
      await compared(group, at.place('none'), 'user')
      await explained(group, at.place('none'), 'user')
    })

    it("in a project's file: none, accepted, and not accepted", async () => {
      await using at = await world(group, group.base)
      const file = settingsOf(group.rows)
      const plain = await at.opened('plain')
      const accepted = await at.opened('accepted', file)
      await at.accept(accepted)
      const unaccepted = await at.opened('unaccepted', file)
      for (const place of [plain, accepted, unaccepted]) await compared(group, place, place.name)
      for (const place of [accepted, unaccepted]) await explained(group, place, place.name)
      refusedByName(group, at.running, accepted, unaccepted)
    })
  })
}

/** Compares the observed value of each row in a place with the schema. */
async function compared({ rows, base }: Group, place: Place, as: Place['name'] | 'user'): Promise<void> {
  const seen: { [path: string]: unknown } = {}
  const wanted: { [path: string]: unknown } = {}
  for (const [index, row] of rows.entries()) {
    const key = `${row.path} (${index})`
    seen[key] = await row.observe(place)
    wanted[key] = expected(row, base, as)
  }
  assert.deepEqual(seen, wanted, `in ${as}`)
}

/** The explanation of each row names the file of this layer where its value counts, and only there. */
async function explained({ rows, base }: Group, { running, root }: Place, as: Place['name'] | 'user'): Promise<void> {
  const config = await running.config.effective(root)
  const layer = as === 'user' ? 'user' : 'project'
  for (const row of rows) {
    const said = config.explain(row.path).flatMap((one) => one.said)
    const isSaid = said.some((one) => one.layer === layer && one.standing === 'in effect')
    assert.equal(isSaid, isInForce(row, base, as), `${row.path} in ${as}`)
  }
}

/** A setting of the whole host is a problem in both files, under its own name. */
function refusedByName({ rows, base }: Group, running: RunningHost, ...places: readonly Place[]): void {
  for (const { root } of places) {
    const told = running.state.problems.filter(({ file }) => root !== undefined && file.startsWith(root))
    const named = told.filter(({ problem }) => /the whole host|only be made stricter/.test(problem))
    const refused = rows.filter((row) => expected(row, base, 'accepted') === row.without && row.with !== row.without)
    assert.deepEqual(named.map(({ key }) => key).sort(), refused.map(({ path }) => path).sort())
  }
}

interface World extends AsyncDisposable {
  readonly running: RunningHost
  place(name: Place['name'], root?: string): Place
  /** Opens a project, with a file where one is given. */
  opened(name: Place['name'], settings?: object): Promise<Place>
  /** Accepts the permits of a place's file, and its servers. */
  accept(place: Place): Promise<void>
}

async function world({ run, starts = true }: Group, settings: object): Promise<World> {
  const ann = person()
  ann.configure(settings)
  await secretFile(ann.places.secretsFile).set('model', 'of the host')
  const running = await ann.run({ endsWhenIdle: true, ...machineOf(ann, run) })
  const clients = new Map<string, Promise<Client>>()
  if (starts) await acceptServers(running)
  const place = (name: Place['name'], root?: string): Place => ({
    ...{ running, name, root },
    caller(address = '') {
      const key = `${name} ${address}`
      const client = clients.get(key) ?? connected(running, { name, root, address })
      clients.set(key, client)
      return client
    },
  })
  return {
    running,
    place,
    async opened(name, file) {
      const root = project(ann, name, file)
      await running.host.projects.open(root)
      return place(name, root)
    },
    async accept({ root = '' }) {
      if (running.state.waiting.some(({ file }) => file.startsWith(root))) {
        await answer(running, await questionIn(running, 'file', root), 'once')
        await until(() => !running.state.waiting.some(({ file }) => file.startsWith(root)))
      }
      await running.reload()
      if (starts) await acceptServers(running)
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients.values()) await (await client).close()
      await running.close()
      ann[Symbol.dispose]()
    },
  }
}

/** The options of a run on the machine of a person, with the programs of another on its path. */
function machineOf(ann: Person, run: Group['run'] = {}): Group['run'] {
  const { machine, ...rest } = run
  if (!machine) return rest
  const environment = { ...ann.machine.environment, ...machine.environment, HOME: ann.home }
  return { ...rest, machine: { ...ann.machine, environment } }
}

async function connected(
  { host }: RunningHost,
  { name, root, address }: { readonly name: string; readonly root: string | undefined; readonly address: string },
): Promise<Client> {
  const known = host.principals.all().some((one) => one.name === name)
  const token = known ? await host.principals.renew(name) : (await host.principals.make({ name })).token
  const headers = { authorization: `Bearer ${token}`, ...(root !== undefined && projectHeader(root)) }
  return connect(new URL(`${host.url}${address}`), { http: { headers } })
}

/** Accepts every server that can be started. */
async function acceptServers(running: RunningHost): Promise<void> {
  for (const { name, launch } of running.host.specs) {
    if (launch.kind === 'program' && !running.host.isAccepted(name)) await running.host.accept(name)
  }
}
