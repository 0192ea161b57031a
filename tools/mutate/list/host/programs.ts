import { type Mutation, mutationsOf } from '../../mutation.ts'

const fingerprint = 'src/servers/programs/fingerprint.ts'
const environment = 'src/config/host-environment.ts'
const bound = ['test/run/bound-programs.test.ts']
const started = ['packages/cli/test/host/environment.test.ts']
const scripts = ['test/run/install-scripts.test.ts']

/** Programs that run as they were accepted, and the environment that the host has. */
export const programs: readonly Mutation[] = mutationsOf('host', [
  {
    breaks: 'a script that was replaced is started',
    file: fingerprint,
    from: "if (by !== 'content' || before.digest === digest || digest === undefined) return undefined",
    to: 'if (by !== undefined) return undefined',
    noticedBy: bound,
  },
  {
    breaks: 'a program that stands before the accepted one on the path is started',
    file: fingerprint,
    from: 'if (comparedPath(before.path, by) !== comparedPath(path, by)) {',
    to: 'if (comparedPath(before.path, by) === undefined) {',
    noticedBy: bound,
  },
  {
    breaks: 'an update of an interpreter asks',
    file: fingerprint,
    from: "return by === 'version' && path !== undefined ? versionless(path) : path",
    to: 'return path',
    noticedBy: bound,
  },
  {
    breaks: 'what was refused of servers that were accepted earlier runs',
    file: 'src/servers/programs/bound-programs.ts',
    from: "if (bound?.by === 'nobody') differences",
    to: 'if (bound?.by === undefined) differences',
    noticedBy: bound,
  },
  {
    breaks: 'npm runs install scripts before a person agrees',
    file: 'src/servers/programs/npm.ts',
    from: "const flags = ['--ignore-scripts', ",
    to: 'const flags = [',
    noticedBy: scripts,
  },
  {
    breaks: 'a host that a client starts takes settings of its environment',
    file: environment,
    from: 'const isPassed = (name: string) => passedNames',
    to: "const isPassed = (name: string) => name.startsWith('TRUNKLINE_') || passedNames",
    noticedBy: started,
  },
  {
    breaks: 'a host that a client starts loads code that its environment names',
    file: environment,
    from: 'const isPassed = (name: string) => passedNames',
    to: 'const isPassed = (name: string) => loadsCode.test(name) || passedNames',
    noticedBy: started,
  },
  {
    breaks: 'a host that a client starts finds programs as its client does',
    file: environment,
    from: "const found = recorded ?? (starter === 'command'",
    to: "const found = (starter !== undefined && pick(environment, isRecorded)) || (starter === 'command'",
    noticedBy: started,
  },
  {
    breaks: 'where arguments go is looked up by the name of a server and not by its key',
    file: 'src/policy/outlet.ts',
    from: '{ serverKey, target, kind }: Act',
    to: '{ server: serverKey, target, kind }: any',
    noticedBy: ['test/limits/outlets.test.ts'],
  },
])
