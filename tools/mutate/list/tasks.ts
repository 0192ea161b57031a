import type { Mutation } from '../mutation.ts'

const journal = 'src/extensions/tasks/server/task-journal.ts'

/** Tasks, their effects, and the file that they are kept in. */
export const tasks: readonly Mutation[] = [
  {
    breaks: 'an effect runs before it is known to have begun',
    file: journal,
    from: "if (!(await keep({ state: 'begun' }))) throw signal.reason ?? new RpcError(InternalError, 'The task has ended')",
    to: '',
    noticedBy: ['test/tasks/restart.test.ts', 'test/tasks/failing-store.test.ts'],
    threat: 44,
  },
  {
    breaks: 'an effect that is broken off is taken for one that did not happen',
    file: journal,
    from: "if (!signal.aborted) await keep({ state: 'undone' })",
    to: "await keep({ state: 'undone' })",
    noticedBy: ['test/tasks/failing-store.test.ts'],
    threat: 44,
  },
  {
    breaks: 'answers that are sent twice have their effects twice',
    file: 'src/dialects/stateless/replayed-input.ts',
    from: 'if (!store || call === undefined) return run()',
    to: 'if (store || call) return run()',
    noticedBy: ['test/durability/effects.test.ts'],
    threat: 44,
  },
  {
    breaks: 'a task opens to any caller who knows its id',
    file: 'src/extensions/tasks/server/task-runs.ts',
    from: 'if (!task || task.principal !== principal)',
    to: 'if (!task)',
    noticedBy: ['test/tasks/bad-input.test.ts'],
    threat: 6,
  },
  {
    breaks: 'callers learn where the store is',
    file: 'src/extensions/tasks/server/task-runs.ts',
    from: "error instanceof McpError && error.code === 'Busy'",
    to: 'error instanceof McpError',
    noticedBy: ['test/tasks/failing-store.test.ts'],
    threat: 50,
  },
  {
    breaks: 'a task that has ended changes',
    file: 'src/stores/sqlite/task-statements.ts',
    from: "const isWorking = `status = 'working' AND",
    to: 'const isWorking = `status IS NOT NULL AND',
    noticedBy: ['test/stores/stores.test.ts'],
  },
  {
    breaks: 'a server resumes the tasks of another one in the same database',
    file: 'src/stores/sqlite/task-statements.ts',
    from: "WHERE status = 'working' AND server = ? AND",
    to: "WHERE status = 'working' AND ? IS NOT NULL AND",
    noticedBy: ['test/stores/sqlite-stores.test.ts'],
  },
  {
    breaks: 'two processes use one file',
    file: 'src/stores/sqlite/sqlite-file.ts',
    from: 'PRAGMA locking_mode = EXCLUSIVE; ',
    to: '',
    noticedBy: ['test/stores/sqlite-bad-files.test.ts'],
  },
  {
    breaks: 'a file of a newer version is used',
    file: 'src/stores/sqlite/migrations.ts',
    from: 'if (found > steps.length) {',
    to: 'if (found < 0) {',
    noticedBy: ['test/stores/sqlite-bad-files.test.ts'],
  },
  {
    breaks: 'a client waits half a minute for a stream that has ended',
    file: 'src/extensions/tasks/client/task-feed.ts',
    from: 'this.#isLost = true',
    to: '',
    noticedBy: ['test/durability/waiting.test.ts'],
  },
]
