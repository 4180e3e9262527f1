(* Read certificates and print whether the verified checker accepts them. Exit code: 0 if it accepts all of them, 1 if
   it refuses one, 2 if a file is not a certificate. The format is described in docs/why/proof.md. *)

module Whole = Z (* Zarith's; the checker has a module Z of its own *)
open Checker

exception Malformed of int * string

let positive z = if Whole.sign z > 0 then z else failwith "is not positive"
let whole word = Whole.of_string word

(* An action or a state under construction: its parts in reverse order. *)
type reading = {
  mutable line : int;
  mutable scale : Whole.t;
  mutable unit_of_rewards : Whole.t;
  mutable outcomes : outcome list option; (* None before the first action of a state *)
  mutable actions : action list;
  mutable fields : (bool * Whole.t * Whole.t * Whole.t) option;
  mutable rows : row list;
}

let non_empty what = function
  | [] -> failwith what
  | first :: others -> (first, others)

let end_action r =
  match r.outcomes with
  | None -> ()
  | Some outcomes -> r.actions <- non_empty "an action has no outcome" (List.rev outcomes) :: r.actions

let end_state r =
  match r.fields with
  | None -> ()
  | Some (maximises, layer, lower, upper) ->
      end_action r;
      let actions = non_empty "a state has no action" (List.rev r.actions) in
      r.rows <- { here = { maximises; actions }; layer; lower; upper } :: r.rows;
      r.actions <- [];
      r.outcomes <- None;
      r.fields <- None

let read_outcome = function
  | [ weight; sign; reward; next ] ->
      let next = if next = "-1" then None else Some (positive (Whole.succ (whole next))) in
      let same_player = match sign with "1" -> true | "-1" -> false | _ -> failwith "a sign is not 1 or -1" in
      { weight = positive (whole weight); reward = whole reward; same_player; next }
  | _ -> failwith "an outcome has four numbers"

let read_line r text =
  match String.split_on_char ' ' text with
  | "state" :: player :: layer :: lower :: upper :: _ ->
      end_state r;
      let maximises = match player with "0" -> true | "1" -> false | _ -> failwith "a player is not 0 or 1" in
      r.fields <- Some (maximises, whole layer, whole lower, whole upper)
  | "action" :: _ ->
      if r.fields = None then failwith "an action without a state";
      end_action r;
      r.outcomes <- Some []
  | [ "scale"; bits ] -> r.scale <- Whole.shift_left Whole.one (int_of_string bits)
  | [ "unit"; n ] -> r.unit_of_rewards <- positive (whole n)
  | "table" :: _ -> ()
  | words -> (
      match r.outcomes with
      | None -> failwith "an outcome without an action"
      | Some outcomes -> r.outcomes <- Some (read_outcome words :: outcomes))

let read path =
  let r = { line = 1; scale = Whole.zero; unit_of_rewards = Whole.zero; outcomes = None; actions = []; fields = None; rows = [] } in
  let file = open_in path in
  try
    if input_line file <> "dicebase-certificate 1" then failwith "is not a certificate";
    (try
       while true do
         r.line <- r.line + 1;
         read_line r (input_line file)
       done
     with End_of_file -> end_state r);
    close_in file;
    ignore (positive r.scale, positive r.unit_of_rewards);
    r
  with Failure what | Invalid_argument what -> raise (Malformed (r.line, what)) | End_of_file -> raise (Malformed (1, "is empty"))

let () =
  let code = ref 0 in
  for i = 1 to Array.length Sys.argv - 1 do
    let path = Sys.argv.(i) in
    try
      let r = read path in
      let rows = List.rev r.rows in
      let valid = rows <> [] && check r.unit_of_rewards r.scale rows in
      if valid then
        let last = List.hd r.rows in
        let decimal z = Whole.to_float z /. Whole.to_float r.scale in
        Printf.printf "%s: valid, %d states; value of the game %.15g, known to %.2g\n%!" path (List.length rows)
          (decimal last.lower)
          (decimal (Whole.sub last.upper last.lower))
      else begin
        Printf.printf "%s: refused\n%!" path;
        code := max !code 1
      end
    with
    | Malformed (line, what) ->
        Printf.eprintf "%s:%d: %s\n%!" path line what;
        code := 2
    | Sys_error what ->
        Printf.eprintf "error: %s\n%!" what;
        code := 2
  done;
  exit !code
