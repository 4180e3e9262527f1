(** The checker of certificates, in whole numbers, and the proof that it accepts only valid ones. *)

From Coq Require Import ZArith QArith Qminmax Lqa List PArith Lia Bool FMapPositive.
From Proof Require Import Game.
Import ListNotations.
Open Scope Z_scope.

(** A row of a certificate: a state with its layer and its bounds, whole numbers over the certificate's [scale]. *)
Record row := Row { here : node; layer : Z; lower : Z; upper : Z }.

Definition table := PositiveMap.t row.

(** Add rows to a table, numbered from [first]. The state of the first row of a file is 1. *)
Fixpoint numbered (first : positive) (rows : list row) (t : table) : table :=
  match rows with
  | [] => t
  | r :: rest => numbered (Pos.succ first) rest (PositiveMap.add first r t)
  end.

Definition table_of (rows : list row) : table := numbered 1 rows (PositiveMap.empty row).

Definition node_at (rows : list row) (s : state) : option node :=
  option_map here (PositiveMap.find s (table_of rows)).

Section Check.

Variables unit scale : positive.
Variable t : table.

(** The sums of an action's outcomes, over [unit * scale]: of weights, and of rewards with the upper and lower bounds
    ahead; and whether an outcome stays in layer [l]. None if play leaves the table or rises to a higher layer. *)
Record sums := Sums { weights : Z; highs : Z; lows : Z; stays : bool }.

Fixpoint sums_of (l : Z) (outcomes : list outcome) : option sums :=
  match outcomes with
  | [] => Some (Sums 0 0 0 false)
  | o :: rest =>
      match sums_of l rest with
      | None => None
      | Some (Sums w high low stay) =>
          let earned := reward o * Zpos scale in
          let chance := Zpos (weight o) in
          match next o with
          | None => Some (Sums (chance + w) (chance * earned + high) (chance * earned + low) stay)
          | Some s =>
              match PositiveMap.find s t with
              | None => None
              | Some r =>
                  if layer r <=? l then
                    let up := Zpos unit * (if same_player o then upper r else - lower r) in
                    let down := Zpos unit * (if same_player o then lower r else - upper r) in
                    Some (Sums (chance + w) (chance * (earned + up) + high) (chance * (earned + down) + low)
                            (stay || (l <=? layer r)))
                  else None
              end
          end
      end
  end.

Fixpoint all_sums (l : Z) (acts : list action) : option (list sums) :=
  match acts with
  | [] => Some []
  | a :: rest =>
      match sums_of l (every a), all_sums l rest with
      | Some x, Some more => Some (x :: more)
      | _, _ => None
      end
  end.

Definition less (strict : bool) (x y : Z) : bool := if strict then x <? y else x <=? y.

Definition below (r : row) (strict : bool) (x : sums) : bool :=
  less strict (highs x) (weights x * (Zpos unit * upper r)).
Definition above (r : row) (strict : bool) (x : sums) : bool :=
  less strict (weights x * (Zpos unit * lower r)) (lows x).

Definition check_row (r : row) : bool :=
  (0 <=? layer r) &&
  match all_sums (layer r) (every (actions (here r))) with
  | None => false
  | Some found =>
      let strict := existsb stays found in
      if maximises (here r)
      then forallb (below r strict) found && existsb (above r strict) found
      else existsb (below r strict) found && forallb (above r strict) found
  end.

End Check.

Definition check (unit scale : positive) (rows : list row) : bool :=
  let t := table_of rows in forallb (check_row unit scale t) rows.

(** * Proof *)

Lemma find_numbered : forall rows first t s,
  PositiveMap.find s (numbered first rows t) =
  if (s <? first)%positive then PositiveMap.find s t else
  match nth_error rows (Pos.to_nat s - Pos.to_nat first) with
  | Some r => Some r
  | None => PositiveMap.find s t
  end.
Proof.
  induction rows as [| r rest IH]; intros first t s; cbn [numbered].
  - destruct (s <? first)%positive, (Pos.to_nat s - Pos.to_nat first)%nat; reflexivity.
  - rewrite IH. destruct (Pos.eq_dec s first) as [-> | N].
    + rewrite PositiveMap.gss, Nat.sub_diag. destruct (Pos.ltb_spec first (Pos.succ first)); [| lia].
      rewrite Pos.ltb_irrefl. reflexivity.
    + rewrite PositiveMap.gso by exact N.
      destruct (Pos.ltb_spec s (Pos.succ first)), (Pos.ltb_spec s first); try lia; [reflexivity |].
      replace (Pos.to_nat s - Pos.to_nat first)%nat with (S (Pos.to_nat s - Pos.to_nat (Pos.succ first))) by lia.
      reflexivity.
Qed.

Lemma find_row : forall rows s,
  PositiveMap.find s (table_of rows) = nth_error rows (pred (Pos.to_nat s)).
Proof.
  intros. unfold table_of. rewrite find_numbered, PositiveMap.gempty.
  destruct (Pos.ltb_spec s 1); [lia |].
  replace (Pos.to_nat s - Pos.to_nat 1)%nat with (pred (Pos.to_nat s)) by lia.
  destruct (nth_error rows (pred (Pos.to_nat s))); reflexivity.
Qed.

Lemma find_nth : forall rows i, PositiveMap.find (Pos.of_succ_nat i) (table_of rows) = nth_error rows i.
Proof. intros. rewrite find_row. f_equal. lia. Qed.

Open Scope Q_scope.

Section Sound.

Variables unit scale : positive.
Variable rows : list row.
Let t := table_of rows.

Definition bound (side : row -> Z) (s : state) : Q :=
  match PositiveMap.find s t with
  | None => 0
  | Some r => side r # scale
  end.
Definition layer_at (s : state) : nat :=
  match PositiveMap.find s t with
  | None => O
  | Some r => Z.to_nat (layer r)
  end.
Definition all_states : list state := map Pos.of_succ_nat (seq 0 (length rows)).

Lemma listed : forall s, In s all_states <-> exists r, PositiveMap.find s t = Some r.
Proof.
  intros s. unfold all_states. rewrite in_map_iff. split.
  - intros [i [<- I]]. apply in_seq in I. unfold t. rewrite find_nth.
    destruct (nth_error rows i) eqn:E; [eauto |]. apply nth_error_None in E. lia.
  - intros [r R]. unfold t in R. rewrite find_row in R. exists (pred (Pos.to_nat s)). split; [lia |].
    apply in_seq. assert (N : nth_error rows (pred (Pos.to_nat s)) <> None) by congruence.
    apply nth_error_Some in N. lia.
Qed.

Notation U := (bound upper).
Notation L := (bound lower).
Notation one v w o := (ahead unit v w o).
Definition over (z : Z) : Q := z # (unit * scale).

Lemma over_plus : forall x y, over (x + y) == over x + over y.
Proof. intros. unfold over. rewrite Qinv_plus_distr. reflexivity. Qed.

Ltac fractions :=
  intros; unfold over, Qeq, Qmult, inject_Z; cbn [Qnum Qden]; rewrite ?Pos2Z.inj_mul; ring.

Lemma over_mult : forall x y, over (x * y) == inject_Z x * over y.
Proof. fractions. Qed.

Lemma over_reward : forall x, over (x * Zpos scale) == x # unit.
Proof. fractions. Qed.

Lemma over_bound : forall x, over (Zpos unit * x) == x # scale.
Proof. fractions. Qed.

(** Like [injection], without computing the sums. *)
Ltac got H := match type of H with Some ?y = Some ?x => assert (x = y) by congruence; subst x end.

Lemma sums_mean : forall l outcomes x, sums_of unit scale t l outcomes = Some x ->
  inject_Z (weights x) == sum (map chance outcomes) /\
  over (highs x) == sum (map (fun o => chance o * one U L o) outcomes) /\
  over (lows x) == sum (map (fun o => chance o * one L U o) outcomes) /\
  (forall o s, In o outcomes -> next o = Some s ->
     exists r, PositiveMap.find s t = Some r /\ (layer r <= l)%Z /\ (stays x = false -> (layer r < l)%Z)).
Proof.
  induction outcomes as [| o rest IH]; intros x H; cbn [sums_of] in H.
  - injection H as <-. simpl. repeat split; try reflexivity. intros o s [].
  - destruct (sums_of unit scale t l rest) as [[w high low stay] |] eqn:E; [| discriminate].
    destruct (IH _ eq_refl) as (W & Hi & Lo & F). simpl in W, Hi, Lo, F.
    assert (C : forall z, over (Zpos (weight o) * z) == chance o * over z) by (intros; apply over_mult).
    destruct (next o) as [s |] eqn:X.
    + destruct (PositiveMap.find s t) as [r |] eqn:R; [| discriminate].
      destruct (layer r <=? l)%Z eqn:Y; [| discriminate]. apply Z.leb_le in Y.
      got H. cbn [weights highs lows stays map]. unfold sum in *. cbn [fold_right].
      assert (B : forall side, bound side s = (side r # scale)) by (intros; unfold bound; rewrite R; reflexivity).
      repeat split.
      * rewrite inject_Z_plus, W. reflexivity.
      * rewrite over_plus, C, over_plus, over_reward, over_bound, Hi. unfold ahead. rewrite X, !B.
        destruct (same_player o); reflexivity.
      * rewrite over_plus, C, over_plus, over_reward, over_bound, Lo. unfold ahead. rewrite X, !B.
        destruct (same_player o); reflexivity.
      * intros p q [<- | I] N.
        -- rewrite X in N. injection N as <-. exists r. repeat split; [exact R | exact Y |].
           intros S. apply orb_false_iff in S as [_ S]. apply Z.leb_gt in S. exact S.
        -- destruct (F p q I N) as (r' & R' & Y' & S'). exists r'. repeat split; auto.
           intros S. apply orb_false_iff in S as [S _]. auto.
    + got H. cbn [weights highs lows stays map]. unfold sum in *. cbn [fold_right].
      repeat split.
      * rewrite inject_Z_plus, W. reflexivity.
      * rewrite over_plus, C, over_reward, Hi. unfold ahead. rewrite X, Qplus_0_r. reflexivity.
      * rewrite over_plus, C, over_reward, Lo. unfold ahead. rewrite X, Qplus_0_r. reflexivity.
      * intros p q [<- | I] N; [congruence | eauto].
Qed.

Lemma all_sums_in : forall l acts found, all_sums unit scale t l acts = Some found ->
  (forall a, In a acts -> exists x, In x found /\ sums_of unit scale t l (every a) = Some x) /\
  (forall x, In x found -> exists a, In a acts /\ sums_of unit scale t l (every a) = Some x).
Proof.
  induction acts as [| a rest IH]; intros found H; cbn [all_sums] in H.
  - injection H as <-. split; intros ? [].
  - destruct (sums_of unit scale t l (every a)) as [x |] eqn:E; [| discriminate].
    destruct (all_sums unit scale t l rest) as [more |]; [| discriminate].
    injection H as <-. destruct (IH _ eq_refl) as [A B]. split.
    + intros b [<- | I]; [exists x; split; [left; reflexivity | exact E] |].
      destruct (A b I) as (y & Y & S). exists y. split; [right; exact Y | exact S].
    + intros y [<- | I]; [exists a; split; [left; reflexivity | exact E] |].
      destruct (B y I) as (b & Y & S). exists b. split; [right; exact Y | exact S].
Qed.

Definition lessQ (strict : bool) (x y : Q) : Prop := if strict then x < y else x <= y.

Lemma less_over : forall s x y, less s x y = true -> lessQ s (over x) (over y).
Proof.
  intros s x y H. unfold less, lessQ, over, Qlt, Qle in *. cbn [Qnum Qden].
  destruct s; [apply Z.ltb_lt in H | apply Z.leb_le in H].
  - apply Zmult_lt_compat_r; [reflexivity | exact H].
  - apply Zmult_le_compat_r; [exact H | discriminate].
Qed.

Lemma mean_less : forall s a x l c, sums_of unit scale t l (every a) = Some x ->
  (less s (highs x) (weights x * (Zpos unit * c)) = true -> lessQ s (expected unit U L a) (c # scale)) /\
  (less s (weights x * (Zpos unit * c)) (lows x) = true -> lessQ s (c # scale) (expected unit L U a)).
Proof.
  intros s a x l c E. destruct (sums_mean _ _ _ E) as (W & Hi & Lo & _).
  assert (P := total_positive a). fold (total a) in W.
  split; intros H; apply less_over in H; unfold expected, lessQ in *; destruct s;
    rewrite over_mult, over_bound, W in H; rewrite ?Hi, ?Lo, Qmult_comm in H.
  - apply Qlt_shift_div_r; assumption.
  - apply Qle_shift_div_r; assumption.
  - apply Qlt_shift_div_l; assumption.
  - apply Qle_shift_div_l; assumption.
Qed.

Lemma best_less : forall (s m : bool) (f : action -> Q) (a : action) (acts : list action) (c : Q),
  (if m then forall b, In b (a :: acts) -> lessQ s (f b) c else exists b, In b (a :: acts) /\ lessQ s (f b) c) ->
  lessQ s (best m (f a) (map f acts)) c.
Proof.
  intros s m f a acts c H. unfold best. induction acts as [| b rest IH]; simpl.
  - destruct m; [apply H; left; reflexivity |]. destruct H as (b & [<- | []] & B). exact B.
  - destruct m.
    + assert (A : lessQ s (fold_right Qmax (f a) (map f rest)) c)
        by (apply IH; intros d [D | D]; apply H; simpl; auto).
      assert (B : lessQ s (f b) c) by (apply H; simpl; auto).
      unfold lessQ in *. destruct s; [apply Q.max_lub_lt | apply Q.max_lub]; assumption.
    + destruct H as (d & D & B).
      assert (Left := Q.le_min_l (f b) (fold_right Qmin (f a) (map f rest))).
      assert (Right := Q.le_min_r (f b) (fold_right Qmin (f a) (map f rest))).
      assert (Case : d = b \/ In d (a :: rest)) by (destruct D as [| [|]]; simpl; auto).
      destruct Case as [-> | I].
      * unfold lessQ in *. destruct s; lra.
      * assert (A : lessQ s (fold_right Qmin (f a) (map f rest)) c) by (apply IH; eauto).
        unfold lessQ in *. destruct s; lra.
Qed.

Lemma best_more : forall (s m : bool) (f : action -> Q) (a : action) (acts : list action) (c : Q),
  (if m then exists b, In b (a :: acts) /\ lessQ s c (f b) else forall b, In b (a :: acts) -> lessQ s c (f b)) ->
  lessQ s c (best m (f a) (map f acts)).
Proof.
  intros s m f a acts c H. unfold best. induction acts as [| b rest IH]; simpl.
  - destruct m; [| apply H; left; reflexivity]. destruct H as (b & [<- | []] & B). exact B.
  - destruct m.
    + destruct H as (d & D & B).
      assert (Left := Q.le_max_l (f b) (fold_right Qmax (f a) (map f rest))).
      assert (Right := Q.le_max_r (f b) (fold_right Qmax (f a) (map f rest))).
      assert (Case : d = b \/ In d (a :: rest)) by (destruct D as [| [|]]; simpl; auto).
      destruct Case as [-> | I].
      * unfold lessQ in *. destruct s; lra.
      * assert (A : lessQ s c (fold_right Qmax (f a) (map f rest))) by (apply IH; eauto).
        unfold lessQ in *. destruct s; lra.
    + assert (A : lessQ s c (fold_right Qmin (f a) (map f rest)))
        by (apply IH; intros d [D | D]; apply H; simpl; auto).
      assert (B : lessQ s c (f b)) by (apply H; simpl; auto).
      unfold lessQ in *. destruct s; [apply Q.min_glb_lt | apply Q.min_glb]; assumption.
Qed.

Hypothesis accepted : check unit scale rows = true.

Lemma row_checked : forall s r, PositiveMap.find s t = Some r -> check_row unit scale t r = true.
Proof.
  intros s r R. unfold check in accepted. rewrite forallb_forall in accepted. apply accepted.
  unfold t in R. rewrite find_row in R. apply nth_error_In in R. exact R.
Qed.

Lemma row_means : forall s r, PositiveMap.find s t = Some r ->
  (forall s', follows (node_at rows) s s' ->
     exists r', PositiveMap.find s' t = Some r' /\ (0 <= layer r)%Z /\ (layer r' <= layer r)%Z) /\
  exists strict,
    (strict = false -> ranked (node_at rows) layer_at s) /\
    lessQ strict (step unit (node_at rows) U L s) (U s) /\
    lessQ strict (L s) (step unit (node_at rows) L U s).
Proof.
  intros s r R. assert (K := row_checked s r R). unfold check_row in K.
  apply andb_true_iff in K as [Low K]. apply Z.leb_le in Low.
  destruct (all_sums unit scale t (layer r) (every (actions (here r)))) as [found |] eqn:E; [| discriminate].
  destruct (all_sums_in _ _ _ E) as [Has Of].
  assert (N : node_at rows s = Some (here r)) by (unfold node_at; fold t; rewrite R; reflexivity).
  assert (Follow : forall s', follows (node_at rows) s s' -> exists r' x, In x found /\
    PositiveMap.find s' t = Some r' /\ (layer r' <= layer r)%Z /\ (stays x = false -> (layer r' < layer r)%Z)).
  { intros s' (n & a & o & N' & A & O & X). rewrite N in N'. injection N' as <-.
    destruct (Has a A) as (x & In_x & S). destruct (sums_mean _ _ _ S) as (_ & _ & _ & F).
    destruct (F o s' O X) as (r' & R' & Y & Z). exists r', x. auto. }
  split.
  { intros s' F. destruct (Follow s' F) as (r' & _ & _ & R' & Y & _). exists r'. auto. }
  exists (existsb stays found). split.
  { intros No s' F. destruct (Follow s' F) as (r' & x & X & R' & _ & Y).
    assert (S : stays x = false).
    { destruct (stays x) eqn:S; [| reflexivity].
      assert (existsb stays found = true) by (apply existsb_exists; eauto). congruence. }
    specialize (Y S). unfold layer_at. rewrite R, R'.
    assert (K' := row_checked s' r' R'). unfold check_row in K'. apply andb_true_iff in K' as [K' _].
    apply Z.leb_le in K'. apply Z2Nat.inj_lt; lia. }
  unfold step. rewrite N.
  assert (At : forall side, bound side s = (side r # scale)) by (intros; unfold bound; rewrite R; reflexivity).
  rewrite !At.
  set (strict := existsb stays found) in *.
  assert (Every : forall a, In a (every (actions (here r))) ->
    (forallb (below unit r strict) found = true -> lessQ strict (expected unit U L a) (upper r # scale)) /\
    (forallb (above unit r strict) found = true -> lessQ strict (lower r # scale) (expected unit L U a))).
  { intros a A. destruct (Has a A) as (x & X & S).
    split; intros F; rewrite forallb_forall in F; apply (mean_less _ _ _ _ _ S), F, X. }
  assert (Some_a : (existsb (below unit r strict) found = true ->
      exists a, In a (every (actions (here r))) /\ lessQ strict (expected unit U L a) (upper r # scale)) /\
    (existsb (above unit r strict) found = true ->
      exists a, In a (every (actions (here r))) /\ lessQ strict (lower r # scale) (expected unit L U a))).
  { split; intros F; apply existsb_exists in F as (x & X & B); destruct (Of x X) as (a & A & S); exists a;
      (split; [exact A |]); apply (mean_less _ _ _ _ _ S), B. }
  destruct Some_a as [Some_b Some_a].
  split; [apply best_less | apply best_more];
    destruct (maximises (here r)); apply andb_true_iff in K as [K1 K2]; auto;
    intros b B; apply Every; assumption.
Qed.

(** The checker accepts only valid certificates: from every starting valuation [v], the values of long enough games lie
    between the bounds in every row. *)
Theorem check_sound : forall v, exists n, forall m, (n <= m)%nat ->
  forall i r, nth_error rows i = Some r ->
  lower r # scale <= steps unit (node_at rows) m v (Pos.of_succ_nat i) <= upper r # scale.
Proof.
  intros v.
  destruct (bounds_hold unit (node_at rows) all_states layer_at L U) with (v := v) as [n H].
  - intros s s' I F. apply listed in I as [r R]. destruct (row_means s r R) as [Next _].
    destruct (Next s' F) as (r' & R' & P & Y). split; [apply listed; eauto |].
    unfold layer_at. rewrite R, R'. apply Z2Nat.inj_le in Y; try lia.
    assert (K' := row_checked s' r' R'); unfold check_row in K'; apply andb_true_iff in K' as [K' _];
      apply Z.leb_le in K'; lia.
  - intros s I. apply listed in I as [r R]. destruct (row_means s r R) as [_ (strict & _ & A & B)].
    unfold lessQ in *. destruct strict; lra.
  - intros s I. apply listed in I as [r R]. destruct (row_means s r R) as [_ (strict & D & A & B)].
    destruct strict; [right; split; assumption | left; auto].
  - exists n. intros m M i r R. rewrite <- find_nth in R.
    assert (I : In (Pos.of_succ_nat i) all_states) by (apply listed; eauto).
    specialize (H m M _ I). unfold bound, t in H. rewrite R in H. exact H.
Qed.

(** So the value of a state, wherever the values of longer and longer games converge, lies between its bounds. *)
Corollary value_between : forall v i r x, nth_error rows i = Some r ->
  value_from unit (node_at rows) v (Pos.of_succ_nat i) x ->
  lower r # scale <= x <= upper r # scale.
Proof.
  intros v i r x R V. destruct (check_sound v) as [n H].
  eapply limit_between; [| exact V]. intros m M. exact (H m M i r R).
Qed.

(** Every solution of the optimality equation lies between the bounds. *)
Corollary solution_between : forall v, solution unit (node_at rows) v ->
  forall i r, nth_error rows i = Some r ->
  lower r # scale <= v (Pos.of_succ_nat i) <= upper r # scale.
Proof.
  intros v V i r R. destruct (check_sound v) as [n H].
  specialize (H n (Nat.le_refl n) i r R). rewrite !(steps_of_solution _ _ v V) in H. exact H.
Qed.

End Sound.

Print Assumptions check_sound.
Print Assumptions value_between.
Print Assumptions solution_between.
