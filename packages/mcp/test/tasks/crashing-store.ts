import { MemoryTaskStore } from '../../src/stores/memory-task-store.ts'
import type { TaskStore } from '../../src/stores/task-store.ts'

/** One process's view of a store that outlives it: after a crash nothing of that process reaches the store any more. */
export interface ProcessView {
  readonly store: TaskStore
  crash(): void
}

/** A store that outlives the processes that use it. */
export class LastingStore {
  readonly kept = new MemoryTaskStore()

  /** The store as one more process sees it. */
  process(): ProcessView {
    let hasCrashed = false
    const never = new Promise<never>(() => {})
    const store = new Proxy(this.kept, {
      get: (target, name) => {
        const method = Reflect.get(target, name, target)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => (hasCrashed ? never : method.apply(target, args))
      },
    })
    return {
      store,
      crash() {
        hasCrashed = true
      },
    }
  }
}
