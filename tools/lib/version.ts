/** Whether a version such as `20.19.2` is that release of Node or a later one. */
export function isAtLeast(version: string, release: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = release.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
