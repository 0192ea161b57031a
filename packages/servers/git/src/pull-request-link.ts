/** The host, and the parts of the path, of the address of a repository. */
interface RepositoryAddress {
  readonly host: string
  readonly parts: readonly string[]
}

/** Pages that open a pull request, by the hosts of products; `path` is that of the repository, escaped. */
const pages: { readonly [host: string]: (path: string, branch: string) => string } = {
  'github.com': (path, branch) => `${path}/pull/new/${escapedPath(branch)}`,
  'gitlab.com': (path, branch) =>
    `${path}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`,
  'bitbucket.org': (path, branch) => `${path}/pull-requests/new?source=${encodeURIComponent(branch)}`,
  'codeberg.org': (path, branch) => `${path}/compare/${escapedPath(branch)}`,
}

/**
 * The page of the product that opens a pull request for a branch; undefined for products that are not known. Made of the
 * address of the remote alone: words of the remote are not links.
 */
export function pullRequestLink(address: string, branch: string): string | undefined {
  const { host, parts } = parseAddress(address) ?? { host: '', parts: [] }
  const page = Object.hasOwn(pages, host) ? pages[host] : undefined
  // groups of GitLab contain groups
  const isRepository = host === 'gitlab.com' ? parts.length >= 2 : parts.length === 2
  if (page === undefined || !isRepository || !parts.every((part) => /^(?!\.+$)[\w.-]+$/.test(part))) return undefined
  return `https://${host}/${page(parts.join('/'), branch)}`
}

/** Splits `https://host/path`, `ssh://git@host/path` and `git@host:path`; one with a port is of no known product. */
function parseAddress(address: string): RepositoryAddress | undefined {
  const [, host, path] =
    /^(?:https|ssh):\/\/(?:[^@/]*@)?([^@/:]+)\/(.+)$/i.exec(address) ??
    /^(?:[^@/:]+@)?([^@/:]+):(?!\/)(.+)$/.exec(address) ??
    []
  if (host === undefined || path === undefined) return undefined
  return {
    host: host.toLowerCase(),
    parts: path
      .replace(/\/?$/, '')
      .replace(/\.git$/, '')
      .split('/'),
  }
}

function escapedPath(branch: string): string {
  return branch.split('/').map(encodeURIComponent).join('/')
}
