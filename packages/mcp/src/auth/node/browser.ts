import { spawn } from 'node:child_process'
import { AuthError } from '../shared/auth-error.ts'

const noBrowser = 'Cannot open a browser: give signIn() an "open" that shows the page to the user in another way'

/** Opens a page in the user's browser; rejects when no browser can be started. */
export function startBrowser(url: URL): Promise<void> {
  const [command, args] = openerOf(process.platform, url)
  return new Promise((resolve, reject) => {
    // never through a shell, which could run a part of the URL as a command
    const opener = spawn(command, args, { shell: false, detached: true, stdio: 'ignore', windowsHide: true })
    const fail = (cause?: unknown): void => reject(new AuthError('sign-in', noBrowser, { cause }))
    opener.once('error', fail)
    opener.once('exit', (code) => (code === 0 ? resolve() : fail()))
    opener.unref()
  })
}

/** The command that opens a URL on a platform, and its arguments. */
export function openerOf(platform: NodeJS.Platform, { protocol, href }: URL): [command: string, args: string[]] {
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new AuthError('address', `Cannot open a page of "${protocol}": only "https:" and "http:" are opened`)
  }
  if (platform === 'darwin') return ['open', [href]]
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', href]]
  return ['xdg-open', [href]]
}
