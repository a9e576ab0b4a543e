/** The parts of a workspace folder that are used here. */
interface Named {
  readonly name: string;
  readonly uri: { readonly path: string };
}

/** The name of a folder for people: its name, with as much of its path as distinguishes it from others of that name. */
export function folderName(folder: Named, all: readonly Named[]): string {
  const { name, uri } = folder;
  const others = all.filter((other) => other.uri.path !== uri.path && other.name === name);
  if (others.length === 0) return name;
  const most = uri.path.split('/').length;
  let count = 1;
  while (count < most && others.some((other) => endOf(other, count) === endOf(folder, count))) count += 1;
  const end = endOf(folder, count);
  return end.endsWith(`/${name}`) ? end : `${name} (${end})`;
}

/** The name of a file for people. @param path within its folder, POSIX */
export function fileName(folder: Named, path: string, all: readonly Named[]): string {
  return all.length > 1 ? `${folderName(folder, all)}/${path}` : path;
}

function endOf({ uri }: Named, count: number): string {
  return uri.path.split('/').slice(-count).join('/');
}
