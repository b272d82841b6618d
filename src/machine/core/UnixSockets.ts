/**
 * The Unix sockets that have a path, as `/proc/net/unix` lists them.
 */

/**
 * The path of each by the inode of the socket. A relative one was meant from where its process stood then; an abstract one,
 * which begins with `@`, is no path and not told.
 */
export const parse = (text: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(text.matchAll(/^[0-9a-f]+:(?: [0-9A-F]+){5} +([0-9]+) ([^@\n].*)/gm), (row) => {
      const [inode, path] = row.slice(1) as [string, string]
      return [`socket:[${inode}]`, path]
    })
  )
