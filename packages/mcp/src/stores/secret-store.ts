import { NamedMutex } from './named-mutex.ts'

/** Keeps secrets by name: in memory, in files, or in the keychain of the system. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>
  /** Resolves when the secret would survive the end of the program. */
  set(name: string, secret: string): Promise<void>
  delete(name: string): Promise<void>
  /** Runs a task while nobody else who uses the store runs one of the same name, in this process or another. */
  alone?<Result>(name: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

/** Keeps secrets for as long as the program runs. */
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
