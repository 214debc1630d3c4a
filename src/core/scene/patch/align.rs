//! Alignment of the items of two lists.

/// For each new item the corresponding old one: equal ones in order, as many as possible; between them one for one.
pub(in crate::core::scene) fn align(
    old: usize,
    new: usize,
    same: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let front = (0..old.min(new)).take_while(|&i| same(i, i)).count();
    let most = old.min(new) - front;
    let back = (0..most)
        .take_while(|&k| same(old - 1 - k, new - 1 - k))
        .count();
    let (rows, columns) = (old - front - back, new - front - back);
    let mut pairs: Vec<Option<usize>> = vec![None; new];
    for (i, pair) in pairs.iter_mut().enumerate().take(front) {
        *pair = Some(i);
    }
    for k in 0..back {
        pairs[new - 1 - k] = Some(old - 1 - k);
    }
    // The longest common subsequence of the rest, where its table is small.
    if rows.saturating_mul(columns) <= 1 << 20 {
        let at = |i: usize, j: usize| i * (columns + 1) + j;
        let mut longest = vec![0_u32; (rows + 1) * (columns + 1)];
        for i in (0..rows).rev() {
            for j in (0..columns).rev() {
                longest[at(i, j)] = match same(front + i, front + j) {
                    true => longest[at(i + 1, j + 1)] + 1,
                    false => longest[at(i + 1, j)].max(longest[at(i, j + 1)]),
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < rows && j < columns {
            if same(front + i, front + j) {
                pairs[front + j] = Some(front + i);
                (i, j) = (i + 1, j + 1);
            } else if longest[at(i + 1, j)] >= longest[at(i, j + 1)] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    pair_gaps(&mut pairs, old);
    pairs
}

/// The rest between the same neighbours corresponds one for one.
pub(in crate::core::scene) fn pair_gaps(pairs: &mut [Option<usize>], old: usize) {
    let mut taken = vec![false; old];
    for pair in pairs.iter().flatten() {
        taken[*pair] = true;
    }
    let mut next = 0;
    for pair in pairs {
        match pair {
            Some(i) => next = *i + 1,
            None if next < old && !taken[next] => {
                taken[next] = true;
                *pair = Some(next);
                next += 1;
            }
            None => {}
        }
    }
}
