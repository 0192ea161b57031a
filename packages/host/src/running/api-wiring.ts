import { serverNameOf } from '../act/server-key.ts'
import { knownKey } from '../api/known-key.ts'
import type { ApiParts } from '../api/parts.ts'
import { version } from '../assembly/host-gateway.ts'
import { discover } from '../clients/import/discover.ts'
import { planImport } from '../clients/import/plan.ts'
import { presentServers } from '../clients/import/present-servers.ts'
import { runImport } from '../clients/import/run.ts'
import type { Value } from '../config/document/document.ts'
import { editConfigFile } from '../config/edit-config-file.ts'
import { OwnFile } from '../config/own-file.ts'
import { openPage } from '../inbox/notify/open-page.ts'
import { parseRule } from '../policy/parse-rule.ts'
import { Policy } from '../policy/policy.ts'
import { rulesFromConfig } from '../policy/rules-from-config.ts'
import type { RunningHost } from './run-host-types.ts'

const triedAt = { layer: 'flags', file: 'the command line' } as const

/** The directories that requests are about. */
export interface ApiPlace {
  /** The directory that the host was started in. */
  readonly directory: string
  /** The project of a directory; of none, that of callers that name none. */
  rootOf(directory: string | undefined): Promise<string | undefined>
}

/** Dependencies of the API, from a host that runs. */
export function apiParts(
  running: Omit<RunningHost, 'api'>,
  {
    directory,
    rootOf,
    down,
    showCode,
    ruleFor,
    whenConfigured,
    machine,
    launcher,
  }: Pick<ApiParts, 'down' | 'showCode' | 'ruleFor' | 'whenConfigured' | 'machine' | 'launcher'> & ApiPlace,
): ApiParts {
  const { host, config, acceptances } = running
  const { store, catalogue, servers, inbox, grants, ledger, principals, taints } = host
  const written = async (file: string): Promise<void> => {
    await config.readAgain(file)
    await running.reload()
  }
  return {
    version,
    machine,
    launcher,
    places: running.places,
    store,
    catalogue,
    servers,
    inbox,
    grants,
    ledger,
    searchIndex: host.searchIndex,
    proof: host.proof,
    whenConfigured,
    keepDays: () => host.retention.limits.keepDays,
    wire: host.wire,
    states: host.states,
    recordLevelOf: (server) => host.recordLevelOf(knownKey(host, server)),
    principals,
    clientPrograms: host.clients.programs,
    connections: host.connections,
    taints,
    chats: running.chats,
    mcpUrl: () => host.url,
    openPage: (url) => openPage(url, { ...machine.environment }),
    leftovers: () => host.leftovers,
    policy: () => host.policy,
    policyIn: async (directory) => {
      const project = directory === undefined ? host.projects.usual : await host.projects.open(directory)
      const keyOf = (server: string) => project.servers().find((key) => serverNameOf(key) === server)
      return { policy: project.policy, root: project.project, keyOf }
    },
    specs: () => host.specs,
    keyOf: (server) => host.keyOf(server),
    isAccepted: (server) => host.isAccepted(server),
    seen: (server) => host.acceptance.seen(server),
    accept: async (server, seen) => void (await host.accept(server, seen)),
    signInPage: (server) => host.signIns.page(server),
    signIn: (server) => host.signIns.signIn(server),
    signOut: (server) => host.signIns.signOut(server),
    clientOf: (server, program = 'console') => host.clientOf(server, program),
    taskClientOf: (server) => host.taskClientOf(server, 'console'),
    writtenCall: (server, tool, args) => host.writtenCall(server, 'console', tool, args),
    ownFile: new OwnFile(running.places.userFile, written),
    configured: () => running.state,
    lockfiles: running.lockfiles,
    updates: host.updates,
    programs: host.programs,
    learn: (server) => host.learn(server),
    openProject: async (project) => void (await host.projects.open(project)),
    explainConfig: async (key, asked) => (await config.effective(await rootOf(asked))).explain(key),
    acceptFile: async (permits) => {
      await acceptances.accept(permits, Date.now())
      config.refresh()
    },
    trialPolicy: async ({ text, rules = [] }, asked) => {
      const root = await rootOf(asked)
      const changed = text === undefined ? await config.effective(root) : await config.trial(text, root)
      const read = rulesFromConfig(changed)
      const added = rules.map(({ effect, rule }, at) => parseRule(effect, rule, { ...triedAt, line: at + 1 }))
      const { mode } = changed.settings.policy ?? {}
      return {
        policy: new Policy({
          rules: [...read.rules, ...added],
          doubt: read.doubt,
          folderOf: (act) => host.projects.of(act.project).folderOf(act),
          ...(mode && { mode }),
        }),
        problems: text === undefined ? [] : [...changed.problems, ...read.problems],
      }
    },
    writeRule: (effect, rule) => running.rules.write(effect, rule),
    replaceRule: (rule, instead) => running.rules.replace(rule, instead),
    lastRule: () => running.rules.last(),
    undoRule: () => running.rules.undo(),
    ruleFor,
    writeServer: async (name, entry) => {
      const { userFile } = running.places
      await editConfigFile(userFile, [{ path: ['mcpServers', name], value: entry as Value | undefined }])
      await written(userFile)
    },
    presentServers: async () => presentServers(await config.effective(), running.secrets),
    planImport: async () => {
      const present = await presentServers(await config.effective(directory), running.secrets)
      return planImport(await discover(machine, directory), { endpoints: [host.url], present })
    },
    runImport: async (edits) => {
      const files = await runImport(edits, running.places, running.secrets)
      for (const file of files) await config.readAgain(file)
      await running.reload()
      return files
    },
    showCode,
    down,
  }
}
