// Sorts, filters and folds tables, and opens sections. Without it every row is shown and sections open by themselves.
'use strict';
const SHOWN = 10;
const LONG = 12;

const make = (name, className, text) => {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
};

const button = (className, text, click) => {
  const element = make('button', className, text);
  element.type = 'button';
  element.addEventListener('click', click);
  return element;
};

// Numbers by value, words by letter; a cell without a value comes last either way.
const comparison = (column, isNumber, sign) => {
  const key = row => {
    const cell = row.cells[column];
    const text = cell ? cell.dataset.sort ?? cell.textContent.trim() : '';
    return isNumber ? (text === '' ? NaN : Number(text)) : text;
  };
  const isMissing = value => value === '' || Number.isNaN(value);
  return (one, other) => {
    const [a, b] = [key(one), key(other)];
    if (isMissing(a) || isMissing(b)) return isMissing(a) - isMissing(b);
    return sign * (isNumber ? a - b : a.localeCompare(b, undefined, { numeric: true }));
  };
};

const setUpTable = box => {
  const body = box.querySelector('tbody');
  const rows = [...body.rows];
  const heads = [...box.querySelectorAll('thead th')];
  let order = rows;
  let wanted = '';
  let isFolded = rows.length > LONG;
  const fold = button('mw-fold', '', () => { isFolded = !isFolded; show(); });
  const found = make('span', 'mw-found', '');
  found.setAttribute('role', 'status');

  // Words are searched, numbers only in a table without words.
  const isSearched = heads.map(head => !head.classList.contains('mw-number'));
  if (!isSearched.includes(true)) isSearched.fill(true);

  const show = () => {
    const holds = (cell, column) => isSearched[column] && cell.textContent.toLowerCase().includes(wanted);
    const matches = row => !wanted || [...row.cells].some(holds);
    const hits = order.filter(matches);
    const shown = new Set(isFolded ? hits.slice(0, SHOWN) : hits);
    for (const row of rows) row.classList.toggle('mw-hidden', !shown.has(row));
    found.textContent = wanted ? `${hits.length} of ${rows.length} rows` : '';
    fold.hidden = hits.length <= SHOWN;
    fold.textContent = isFolded ? `Show all ${hits.length} rows` : `Show the first ${SHOWN} rows`;
    fold.setAttribute('aria-expanded', String(!isFolded));
  };

  const sort = column => {
    const before = heads[column].getAttribute('aria-sort');
    for (const head of heads) head.removeAttribute('aria-sort');
    const next = { ascending: 'descending', descending: '' }[before] ?? 'ascending';
    const isNumber = heads[column].classList.contains('mw-number');
    order = rows;
    if (next) {
      heads[column].setAttribute('aria-sort', next);
      order = [...rows].sort(comparison(column, isNumber, next === 'ascending' ? 1 : -1));
    }
    body.append(...order);
    show();
  };

  if (rows.length > 2) {
    heads.forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const control = button('mw-sort', '', () => sort(column));
      control.append(...head.childNodes);
      head.append(control);
    });
  }
  if (rows.length > LONG) {
    const label = make('label', 'mw-filter', 'Filter rows ');
    const input = make('input', '', '');
    input.type = 'search';
    input.addEventListener('input', () => { wanted = input.value.trim().toLowerCase(); show(); });
    label.append(input);
    const tools = make('div', 'mw-tools', '');
    tools.append(label, found);
    box.prepend(tools);
    box.querySelector('.mw-scroll').after(fold);
    show();
  }
  const scroll = box.querySelector('.mw-scroll');
  const measure = () => box.classList.toggle('mw-wide-table', scroll.scrollWidth > scroll.clientWidth + 1);
  new ResizeObserver(measure).observe(scroll);
};

const setUpSections = () => {
  const sections = [...document.querySelectorAll('main > section > details')];
  // Browsers that do not open a section by themselves when a link leads into it.
  const reveal = () => {
    const target = document.querySelector(':target');
    const section = target && target.closest('details');
    if (!section || section.open) return;
    section.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
  if (sections.length > 1) {
    const all = button('mw-fold', 'Open all sections', () => {
      const open = sections.some(section => !section.open);
      for (const section of sections) section.open = open;
    });
    const name = () => { all.textContent = sections.every(section => section.open) ? 'Close all sections' : 'Open all sections'; };
    for (const section of sections) section.addEventListener('toggle', name);
    document.querySelector('main').prepend(all);
  }
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = sections.filter(section => !section.open);
    for (const section of closed) section.open = true;
  });
  addEventListener('afterprint', () => { for (const section of closed) section.open = false; });
};

document.querySelectorAll('.mw-table').forEach(setUpTable);
setUpSections();
