import { NamedMutex } from './named-mutex.ts'

/** Stores secrets by name: in memory, in files, or in the system's keychain. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>
  /** Resolves when the secret is stored durably. */
  set(name: string, secret: string): Promise<void>
  delete(name: string): Promise<void>
  /** Runs a task under a lock of this name, across all processes that use the store. */
  alone?<Result>(name: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

/** Stores secrets in memory. */
export function memorySecrets(): SecretStore {
  const secrets = new Map<string, string>()
  const turns = new NamedMutex()
  return {
    async get(name) {
      return secrets.get(name)
    },
    async set(name, secret) {
      secrets.set(name, secret)
    },
    async delete(name) {
      secrets.delete(name)
    },
    alone: (name, task, signal) => turns.run(name, task, signal),
  }
}
