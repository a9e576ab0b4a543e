/**
 * Names each ratio that is worse than the same row's in an earlier report by more than 15 %. More is better where the
 * unit is an amount a second, or where the row's aim is a least value.
 *
 * @param report Markdown as `npm run bench -- --report FILE` writes it
 * @param rows the cells of this run: name, ours, limit, what the limit is, ratio, aim, met
 */
export function worseRatios(report, rows) {
  const before = new Map(
    report
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.slice(2, -2).split(' | '))
      .map(([name, , , , ratio]) => [name, Number(ratio)]),
  );
  return rows.flatMap(([name, ours, , , ratio, aim]) => {
    const [was, is] = [before.get(name), Number(ratio)];
    if (!(was > 0) || !(is > 0)) return [];
    const more = ours.endsWith('/s') || aim.startsWith('>=');
    const worse = more ? was / is : is / was;
    return worse > 1.15 ? [`${name}: ratio ${is.toFixed(2)}, ${was.toFixed(2)} before`] : [];
  });
}
