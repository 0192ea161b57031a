import { memoryCluster } from '../../src/stores/memory-cluster.ts'
import { MemoryEffectStore } from '../../src/stores/memory-effect-store.ts'
import { MemoryEventStore } from '../../src/stores/memory-event-store.ts'
import { MemoryLimiter } from '../../src/stores/memory-limiter.ts'
import { MemorySessionStore } from '../../src/stores/memory-session-store.ts'
import { MemoryTaskStore } from '../../src/stores/memory-task-store.ts'
import { sqliteStores } from '../../src/stores/sqlite/stores.ts'
import { storeFolder } from './sqlite-folder.ts'
import { storesContract } from './stores-contract.ts'

storesContract({
  name: 'in memory',
  has: ['sessions', 'events', 'tasks', 'effects', 'limiter'],
  make: () => ({
    stores: {
      sessions: new MemorySessionStore(),
      events: new MemoryEventStore(),
      tasks: new MemoryTaskStore(),
      effects: new MemoryEffectStore(),
      limiter: new MemoryLimiter(),
    },
    async [Symbol.asyncDispose]() {},
  }),
})

storesContract({
  name: 'in memory',
  has: ['proofs', 'cluster'],
  make() {
    const cluster = memoryCluster()
    return { stores: { proofs: cluster.proofs, cluster }, [Symbol.asyncDispose]: () => cluster.close() }
  },
})

storesContract({
  name: 'SQLite',
  has: ['sessions', 'events', 'tasks', 'effects'],
  make() {
    const place = storeFolder()
    const stores = sqliteStores(place.path)
    return {
      stores,
      async [Symbol.asyncDispose]() {
        await stores.close()
        place[Symbol.dispose]()
      },
    }
  },
})
