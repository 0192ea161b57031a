import { spawn } from 'node:child_process'

/** Programs that open a page in the person's browser, by platform; no shell reads the address. */
const openers: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** True if a browser of this machine would be in front of the person. */
function hasScreen(env: NodeJS.ProcessEnv, platform: string): boolean {
  if (env.SSH_CONNECTION || env.SSH_TTY || env.CI) return false
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER)
}

/** Opens a page in the browser that an environment names; false where that has no screen, or its program fails. */
export function openPage(url: string, env: NodeJS.ProcessEnv, platform: string = process.platform): Promise<boolean> {
  if (!hasScreen(env, platform)) return Promise.resolve(false)
  const given = env.BROWSER && !/[%\s]/.test(env.BROWSER) ? [env.BROWSER] : undefined
  const [command, ...args] = given ?? openers[platform] ?? []
  if (command === undefined) return Promise.resolve(false)
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env })
  return new Promise<boolean>((resolve) => {
    // some openers stay until the browser is closed
    const timer = setTimeout(() => resolve(true), patienceMs)
    const settle = (isOpen: boolean): void => {
      clearTimeout(timer)
      resolve(isOpen)
    }
    child.on('error', () => settle(false))
    child.on('exit', (code) => settle(code === 0))
  }).finally(() => child.unref())
}

const patienceMs = 2_000
