/**
 * Program that runs the tests of the files it is given, in one process. Node's runner follows each promise, to know the
 * test that an error outside of it belongs to; that takes a twentieth to a seventh of the processor time. Here it does
 * not, and such an error ends the process: every file then runs again alone, where Node follows them and names the test.
 */
import { type AsyncHook, createHook } from 'node:async_hooks'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Makes all hooks from now on ignore promises, as those do that are made with `trackPromises: false`. */
function ignorePromises(): void {
  const hook = createHook({ trackPromises: false } as Parameters<typeof createHook>[0])
  const [ignores] = Object.getOwnPropertySymbols(hook).filter(({ description }) => description === 'kNoPromiseHook')
  const hooks = Object.getPrototypeOf(hook) as { enable(this: AsyncHook): AsyncHook }
  const { enable } = hooks
  hooks.enable = function (this: AsyncHook) {
    // a Node without it follows promises, and only takes longer
    if (ignores !== undefined) Object.assign(this, { [ignores]: true })
    return enable.call(this)
  }
}

/** Ends the process by an error outside of a test, at once: the test that waits for what failed might never end. */
function endBy(error: unknown): void {
  console.error(error)
  process.exit(1)
}

ignorePromises()
process.on('uncaughtExceptionMonitor', endBy)
process.on('unhandledRejection', endBy)
for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href)
